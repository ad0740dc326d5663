/** What can go wrong with a call of the engine, and what follows. */
import { errors } from '@opensearch-project/opensearch'
import { IndexUnavailableError } from '../../base/errors/index.js'

/** One call that failed. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'

  constructor(
    readonly kind: 'connection' | 'timeout' | 'status' | 'incomplete' | 'answer',
    message: string,
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export function faultOf(error: unknown): EngineFault {
  if (error instanceof EngineFault) return error
  const message = error instanceof Error ? error.message : String(error)
  const cause = { cause: error }
  if (error instanceof errors.ResponseError) {
    const status = error.statusCode
    return new EngineFault(
      'status',
      `status ${status}: ${message}${reasonOf(error)}`,
      status,
      cause,
    )
  }
  if (error instanceof errors.TimeoutError) return new EngineFault('timeout', message, 0, cause)
  const isConnection =
    error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError
  return new EngineFault(isConnection ? 'connection' : 'answer', message, 0, cause)
}

/** Where no shard is to blame, the client's message leaves it out. */
function reasonOf({ body }: errors.ResponseError): string {
  const { reason } = (body as { error?: { reason?: unknown } } | null)?.error ?? {}
  return typeof reason === 'string' ? ` (${reason})` : ''
}

/** Busy is not a failure, and what the engine refuses as wrong is ours. */
export const isFailureOfEngine = (error: unknown): boolean =>
  error instanceof EngineFault && !isBusy(error) && !isRefusal(error)

/**
 * The engine was not reached, the connection broke, or it was too busy to begin: searches only read, and the documents
 * of a publication have ids of their own. A call that took too long is not made again, because it may be under way.
 */
export const hasDoneNothing = (error: unknown): boolean =>
  error instanceof EngineFault && (error.kind === 'connection' || isBusy(error))

const isBusy = ({ status }: EngineFault) => status === 429
const isRefusal = ({ kind, status = 0 }: EngineFault) =>
  kind === 'status' && status >= 400 && status < 500

/** The error that callers get. If the engine refuses a request, that is an error of the program and stays as it is. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof EngineFault)) return error
  const { status } = error
  if (isBusy(error)) return new IndexUnavailableError('the search engine is busy', { cause: error })
  if (status === 401 || status === 403) {
    return new IndexUnavailableError('the search engine refuses the credentials', { cause: error })
  }
  if (isRefusal(error)) return error
  return new IndexUnavailableError(describeFault(error), { cause: error })
}

/** For people who do not run the engine. */
export function describeFault({ kind }: EngineFault): string {
  const whats = {
    connection: 'the search engine cannot be reached',
    timeout: 'the search engine takes too long',
    status: 'the search engine fails',
    incomplete: 'a part of the index is missing',
    answer: 'the search engine answers in another form than expected',
  }
  return whats[kind]
}
