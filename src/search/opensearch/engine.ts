/**
 * Calls of the engine. Each has a deadline; few run at a time and few wait; a call that has done nothing is tried
 * again after a random while; and where the engine keeps failing, calls fail at once until it answers again.
 */
import { readFileSync } from 'node:fs'
import { Client } from '@opensearch-project/opensearch'
import {
  bulkhead,
  BrokenCircuitError,
  BulkheadRejectedError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  decorrelatedJitterGenerator,
  ExponentialBackoff,
  handleWhen,
  retry,
  wrap,
} from 'cockatiel'
import { IndexUnavailableError, SettingsError } from '../../base/errors/index.js'
import {
  describeFault,
  EngineFault,
  faultOf,
  hasDoneNothing,
  isFailureOfEngine,
  unavailable,
} from './engine-faults.js'

export interface EngineOptions {
  readonly urls: readonly string[]
  /** A file of certificates to trust; undefined: those of the system. */
  readonly ca?: string | undefined
  readonly timeoutMs: number
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Calls at the same time. */
  readonly concurrency?: number
}

interface EngineCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: object
  /** Lines of JSON, in place of a body. */
  readonly lines?: string
  readonly signal?: AbortSignal | undefined
  /** Longer than usual. */
  readonly timeoutMs?: number
}

export interface Engine {
  /**
   * Resolves to the body of the response; to undefined where there is no such thing (404).
   * Rejects with an IndexUnavailableError, or with the reason of the signal.
   */
  call<Body>(call: EngineCall): Promise<Body | undefined>
  /** Why calls fail at once; undefined while they do not. After a pause, it probes whether the engine is back. */
  problem(): string | undefined
  close(): Promise<void>
}

const usualConcurrency = 32
/** For each call that runs; further calls are refused rather than left to wait. */
const waitingPerCall = 8
const failuresBeforeOpen = 5
const maxOpenMs = 10_000

export function createEngine(options: EngineOptions): Engine {
  const { timeoutMs, concurrency = usualConcurrency } = options
  const client = createClient(options)
  const circuit = circuitBreaker(handleWhen(isFailureOfEngine), {
    halfOpenAfter: new ExponentialBackoff({ initialDelay: 1000, maxDelay: maxOpenMs }),
    breaker: new ConsecutiveBreaker(failuresBeforeOpen),
  })
  const policy = wrap(
    bulkhead(concurrency, concurrency * waitingPerCall),
    retry(handleWhen(hasDoneNothing), {
      maxAttempts: 3,
      backoff: new ExponentialBackoff({
        generator: decorrelatedJitterGenerator,
        initialDelay: 30,
        maxDelay: 1000,
      }),
    }),
    circuit,
  )
  let lastFailure = ''
  let isAsking = false

  async function send<Body>(call: EngineCall): Promise<Body | undefined> {
    const { method, path, query = {}, body, lines, signal } = call
    signal?.throwIfAborted()
    const request = client.transport.request(
      {
        method,
        path,
        querystring: query,
        ...(body !== undefined && { body }),
        ...(lines !== undefined && { bulkBody: lines }),
      },
      { requestTimeout: call.timeoutMs ?? timeoutMs, maxRetries: 0 },
    )
    const abort = () => {
      // Returned, its promise would be the signal's to handle, which throws its error.
      request.abort()
    }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const answer: unknown = (await request).body
      if (typeof answer === 'object' && answer !== null) return answer as Body
      throw new EngineFault('answer', `expected an object, received ${JSON.stringify(answer)}`)
    } catch (error) {
      signal?.throwIfAborted()
      const fault = faultOf(error)
      if (fault.status === 404) return undefined
      if (isFailureOfEngine(fault)) lastFailure = describeFault(fault)
      throw fault
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Without traffic nobody would notice that the engine is back. */
  function askSoon(): void {
    if (isAsking) return
    isAsking = true
    circuit
      .execute(() => send({ method: 'GET', path: '/' }))
      .catch(() => undefined)
      .finally(() => (isAsking = false))
  }

  return {
    async call<Body>(call: EngineCall): Promise<Body | undefined> {
      try {
        return await policy.execute(() => send<Body>(call), call.signal)
      } catch (error) {
        call.signal?.throwIfAborted()
        if (error instanceof BulkheadRejectedError) {
          throw new IndexUnavailableError('too many searches wait for the search engine')
        }
        if (error instanceof BrokenCircuitError) {
          throw new IndexUnavailableError(`${lastFailure}, and has failed repeatedly`, {
            cause: error,
          })
        }
        throw unavailable(error)
      }
    },
    problem() {
      if (circuit.state === CircuitState.Closed) return undefined
      askSoon()
      return `${lastFailure}, and is not called for now`
    },
    close: () => client.close(),
  }
}

function createClient({ urls, ca, username, password }: EngineOptions): Client {
  return new Client({
    nodes: [...urls],
    maxRetries: 0,
    ...(ca !== undefined && { ssl: { ca: readCertificates(ca) } }),
    ...(username !== undefined && { auth: { username, password: password ?? '' } }),
  })
}

/** @throws SettingsError */
function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError([`--index-ca: cannot be read: ${reason}`])
  }
}
