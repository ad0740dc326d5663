/**
 * The client of a remote GraphQL endpoint, AniList's unless told otherwise. One loop holds the
 * policy: wait for the turn, post, then by status. 200 is the answer; 429 waits and starts over
 * with a fresh budget; 500 and a broken connection use up the budget; anything else is no result.
 */
import { UpstreamError } from '../errors/upstream-error.js'
import { createTokenReader } from './access-token.js'
import { longestTimerMs, systemClock, type Clock } from '../util/clock.js'
import type { Logger } from './logger.js'
import { post, type Reply } from './post.js'
import { viewerQuery } from './queries.js'
import { createPacer } from './rate-limit.js'
import { graphqlErrors, type QueryResult } from './result.js'

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

export interface QueryOptions {
  /** Attempts until a 429 renews the budget. */
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
  /** Whether the token has to be renewed; null, and an error in the log, when nobody answered. */
  tokenNeedsRefresh(signal?: AbortSignal): Promise<boolean | null>
}

const defaultGraphqlUrl = 'https://graphql.anilist.co'
const defaultTimeoutMs = 10_000
const defaultRetries = 3
const retryPauseMs = 2_000
/** Several rate-limit waits of a minute, yet no caller is held for longer than a coffee. */
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
    let attemptsLeft = checkAttempts(retries)
    const deadlineAt = clock.now() + checkMilliseconds('deadlineMs', deadlineMs)
    const envelope = { query: document, variables }
    for (;;) {
      if (!(await pacer.waitForTurn(deadlineAt, signal))) {
        return failed(deadlineError(pacer.turnAt() - clock.now(), deadlineMs))
      }
      const outcome = await attempt(envelope, deadlineAt, signal)
      if (outcome.kind === 'rate-limited') {
        attemptsLeft = defaultRetries
        continue
      }
      if (outcome.kind !== 'retry') return outcome
      attemptsLeft -= 1
      logger.warn({ code: outcome.error.code, attemptsLeft }, outcome.error.message)
      if (attemptsLeft === 0) {
        logger.error({ code: outcome.error.code }, 'no attempts left; there is no result')
        return failed(outcome.error)
      }
      if (clock.now() + retryPauseMs >= deadlineAt) {
        return failed(deadlineError(retryPauseMs, deadlineMs))
      }
      await clock.sleep(retryPauseMs, signal)
    }
  }

  async function attempt(
    envelope: object,
    deadlineAt: number,
    signal: AbortSignal | undefined,
  ): Promise<QueryResult | { kind: 'retry'; error: UpstreamError } | { kind: 'rate-limited' }> {
    const token = await readToken()
    const limitMs = Math.max(1, Math.min(timeoutMs, deadlineAt - clock.now()))
    let reply: Reply
    try {
      reply = await post(url, envelope, { token, timeoutMs: limitMs, signal })
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return { kind: 'retry', error }
    }
    pacer.observe(reply.status, reply.headers)
    if (reply.status === 429) return { kind: 'rate-limited' }
    if (reply.status === 200) return readAnswer(url, reply.text, token)
    const error = statusError(url, reply, token)
    if (reply.status === 500) return { kind: 'retry', error }
    if (reply.status === 404) return { kind: 'not-found' }
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

function readAnswer(url: URL, text: string, token: string | null): QueryResult {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // The parser's message would quote the answer.
    return failed(new UpstreamError('EBODY', `${url.host} answered 200 without valid JSON`))
  }
  const errors = graphqlErrors(body, token)
  return errors.length === 0 ? { kind: 'answer', body } : { kind: 'graphql-errors', body, errors }
}

/** The service often says why in the GraphQL errors of its body. */
function statusError(url: URL, { status, text }: Reply, token: string | null): UpstreamError {
  const reason = explanation(text, token)
  const message = `${url.host} answered with status ${status}${reason}, expected 200`
  return new UpstreamError(status === 500 ? 'ESERVER' : 'ESTATUS', message, { status })
}

function explanation(text: string, token: string | null): string {
  try {
    const [first] = graphqlErrors(JSON.parse(text), token)
    return first === undefined ? '' : ` (${first.message})`
  } catch {
    return ''
  }
}

function deadlineError(waitMs: number, deadlineMs: number): UpstreamError {
  const seconds = Math.ceil(waitMs / 1000)
  return new UpstreamError(
    'EDEADLINE',
    `the next request may go out in ${seconds} s, beyond the deadline of ${deadlineMs} ms (deadlineMs)`,
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
  if (value > 0 && value <= longestTimerMs) return value
  throw new RangeError(`${name}: expected 1 to ${longestTimerMs} milliseconds, received ${value}`)
}

function checkAttempts(retries: number): number {
  if (Number.isInteger(retries) && retries > 0) return retries
  throw new RangeError(`retries: expected an integer of at least 1, received ${retries}`)
}
