/**
 * The client of a GraphQL endpoint, AniList's by default. An attempt waits until the rate limit allows it,
 * then posts. By status: 200 is a result; 429 waits and starts again with all attempts; 500 and a broken
 * connection use up an attempt; any other status fails at once.
 */
import pRetry from 'p-retry'
import { UpstreamError } from '../../base/errors/index.js'
import { createTokenReader } from './access-token.js'
import { maxTimerMs, systemClock, type Clock } from '../../base/util/clock.js'
import type { Logger } from './logger.js'
import { post, type Reply } from './post.js'
import { viewerQuery } from './queries.js'
import { createPacer } from './rate-limit.js'
import { graphqlErrors, type GraphqlError, type QueryResult } from './result.js'

export interface AnilistClientOptions {
  readonly logger: Logger
  readonly url?: string
  /** JSON file whose ACCESS_TOKEN is the bearer token. */
  readonly configPath?: string
  /** For one exchange. */
  readonly timeoutMs?: number
  /** For one query with all its waits and attempts. */
  readonly deadlineMs?: number
  readonly clock?: Clock
}

interface QueryOptions {
  /** Attempts in all; after a 429 the count starts again at the default. */
  readonly retries?: number
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

export interface AnilistClient {
  /**
   * Rejects with the signal's reason when aborted, and for arguments that cannot be sent: a
   * RangeError for options, a TypeError for variables.
   */
  query(
    query: string,
    variables?: Readonly<Record<string, unknown>> | null,
    options?: QueryOptions,
  ): Promise<QueryResult>
  /** Whether the token must be renewed; null, with an error in the log, if the endpoint did not respond. */
  tokenNeedsRefresh(signal?: AbortSignal): Promise<boolean | null>
}

const defaultGraphqlUrl = 'https://graphql.anilist.co'
const defaultTimeoutMs = 10_000
const defaultRetries = 3
const retryPauseMs = 2_000
/** Room for several waits of a minute at the rate limit. */
const defaultDeadlineMs = 600_000

/** Throws a RangeError for a URL or a limit that cannot work. */
export function createAnilistClient(options: AnilistClientOptions): AnilistClient {
  const { logger, clock = systemClock } = options
  const url = checkUrl(options.url ?? defaultGraphqlUrl)
  const timeoutMs = checkMilliseconds('timeoutMs', options.timeoutMs ?? defaultTimeoutMs)
  const clientDeadlineMs = checkMilliseconds('deadlineMs', options.deadlineMs ?? defaultDeadlineMs)
  const readToken = createTokenReader(options.configPath ?? 'config.json', logger)
  const pacer = createPacer(clock, logger)

  async function query(
    document: string,
    variables: Readonly<Record<string, unknown>> | null = null,
    { retries = defaultRetries, deadlineMs = clientDeadlineMs, signal }: QueryOptions = {},
  ): Promise<QueryResult> {
    let attempts = checkAttempts(retries)
    const deadlineAt = clock.now() + checkMilliseconds('deadlineMs', deadlineMs)
    const envelope = { query: document, variables }
    const limits = { deadlineMs, deadlineAt, signal }
    try {
      for (;;) {
        const result = await attemptUpTo(attempts, envelope, limits)
        if (result.kind !== 'rate-limited') return result
        attempts = defaultRetries
      }
    } catch (error) {
      if (error instanceof UpstreamError) return failed(error)
      throw error
    }
  }

  /** Throws an UpstreamError when no attempt is left, or the next one would miss the deadline. */
  function attemptUpTo(attempts: number, envelope: object, limits: Limits): Promise<Attempt> {
    const { deadlineMs, deadlineAt, signal } = limits
    return pRetry(() => attempt(envelope, limits), {
      retries: attempts - 1,
      // The pause is the clock's, so that tests need not wait.
      minTimeout: 0,
      shouldRetry: ({ error }) => isRetryable(error),
      async onFailedAttempt({ error, retriesLeft: attemptsLeft }) {
        signal?.throwIfAborted()
        if (!isRetryable(error)) return
        const { code } = error
        logger.warn({ code, attemptsLeft }, error.message)
        if (attemptsLeft === 0) logger.error({ code }, 'no attempts left; there is no result')
        else if (clock.now() + retryPauseMs >= deadlineAt) {
          throw deadlineError(retryPauseMs, deadlineMs)
        } else await clock.sleep(retryPauseMs, signal)
      },
    })
  }

  async function attempt(
    envelope: object,
    { deadlineMs, deadlineAt, signal }: Limits,
  ): Promise<Attempt> {
    if (!(await pacer.waitForTurn(deadlineAt, signal))) {
      throw deadlineError(pacer.turnAt() - clock.now(), deadlineMs)
    }
    const token = await readToken()
    const limitMs = Math.max(1, Math.min(timeoutMs, deadlineAt - clock.now()))
    const reply = await post(url, envelope, { token, timeoutMs: limitMs, signal })
    pacer.observe(reply.status, reply.headers)
    if (reply.status === 429) return { kind: 'rate-limited' }
    if (reply.status === 200) return readAnswer(url, reply.text, token)
    const error = statusError(url, reply, token)
    if (reply.status === 500) throw error
    if (reply.status === 404) return { kind: 'not-found', errors: errorsOf(reply.text, token) }
    logger.error({ status: reply.status }, error.message)
    return failed(error)
  }

  async function tokenNeedsRefresh(signal?: AbortSignal): Promise<boolean | null> {
    const options = { token: await readToken(), timeoutMs, signal }
    try {
      const { status, headers } = await post(url, { query: viewerQuery }, options)
      pacer.observe(status, headers)
      return status === 401 || status === 400
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      logger.error({ code: error.code }, `the token cannot be checked: ${error.message}`)
      return null
    }
  }

  return { query, tokenNeedsRefresh }
}

interface Limits {
  readonly deadlineMs: number
  readonly deadlineAt: number
  readonly signal: AbortSignal | undefined
}

type Attempt = QueryResult | { readonly kind: 'rate-limited' }

const retryableCodes: ReadonlySet<string> = new Set(['ENETWORK', 'ETIMEOUT', 'ESERVER'])
const isRetryable = (error: Error): error is UpstreamError =>
  error instanceof UpstreamError && retryableCodes.has(error.code)

function readAnswer(url: URL, text: string, token: string | null): QueryResult {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // The parser's message would quote the response.
    return failed(new UpstreamError('EBODY', `${url.host} answered 200 without valid JSON`))
  }
  const errors = graphqlErrors(body, token)
  return errors.length === 0 ? { kind: 'answer', body } : { kind: 'graphql-errors', body, errors }
}

/** The service often gives the reason in the GraphQL errors of its body. */
function statusError(url: URL, { status, text }: Reply, token: string | null): UpstreamError {
  const reason = explanation(text, token)
  const message = `${url.host} answered with status ${status}${reason}, expected 200`
  return new UpstreamError(status === 500 ? 'ESERVER' : 'ESTATUS', message, { status })
}

function explanation(text: string, token: string | null): string {
  const [first] = errorsOf(text, token)
  return first === undefined ? '' : ` (${first.message})`
}

/** None where the text is not JSON. */
function errorsOf(text: string, token: string | null): readonly GraphqlError[] {
  try {
    return graphqlErrors(JSON.parse(text), token)
  } catch {
    return []
  }
}

function deadlineError(waitMs: number, deadlineMs: number): UpstreamError {
  const seconds = Math.ceil(waitMs / 1000)
  return new UpstreamError(
    'EDEADLINE',
    `the next request may go out in ${seconds} s, beyond the deadline of ${deadlineMs} ms (deadlineMs)`,
    { retryAfterSeconds: seconds },
  )
}

function failed(error: UpstreamError): QueryResult {
  return { kind: 'failed', error }
}

function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new RangeError('url (GRAPHQL_URL): expected an http or https address')
  }
  // fetch would refuse them with a message that quotes them.
  if (url.username !== '' || url.password !== '') {
    throw new RangeError('url (GRAPHQL_URL): expected an address without user name and password')
  }
  return url
}

function checkMilliseconds(name: string, value: number): number {
  if (value > 0 && value <= maxTimerMs) return value
  throw new RangeError(`${name}: expected 1 to ${maxTimerMs} milliseconds, received ${value}`)
}

function checkAttempts(retries: number): number {
  if (Number.isInteger(retries) && retries > 0) return retries
  throw new RangeError(`retries: expected an integer of at least 1, received ${retries}`)
}
