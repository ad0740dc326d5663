/**
 * A hub of models, by the interface of huggingface.co: a listing of a revision's files, and the files.
 * Large files come from other hosts, by redirects that are followed here: the token goes to the hub
 * alone, and what the hub says of a file (size, hash) stands in its own response, before the redirect.
 */
import ky from 'ky'
import { UpstreamError } from '../../errors/upstream-error.js'
import { version } from '../../util/version.js'
import { refusal } from './refusal.js'

export interface HubOptions {
  /** `https://huggingface.co`, or a mirror of it; may have a path. */
  readonly endpoint: string
  readonly token?: string | undefined
  /** Longest silence before a connection counts as broken. */
  readonly stallMs?: number
}

export interface Hub {
  readonly endpoint: string
  /** @param path below the endpoint, `/api/models/…` */
  get(path: string, options: GetOptions): Promise<HubReply>
}

export interface GetOptions {
  /** What an error calls the request. */
  readonly what: string
  /** First byte to fetch. */
  readonly from?: number
  readonly signal?: AbortSignal | undefined
}

/** A success: anything else is thrown. */
export interface HubReply {
  readonly status: number
  readonly headers: Headers
  /** Of the hub's own last response; the same as `headers` where it sends the file itself. */
  readonly hubHeaders: Headers
  /** Its bytes as they come. Throws an UpstreamError where they stop coming. */
  body(): AsyncGenerator<Uint8Array>
}

const defaultStallMs = 30_000
const mostRedirects = 5

/** All that goes wrong is an UpstreamError, or the reason of the signal. */
export function createHub({ endpoint, token, stallMs = defaultStallMs }: HubOptions): Hub {
  const base = endpoint.replace(/\/+$/, '')
  const { origin } = new URL(base)
  return {
    endpoint: base,
    async get(path, { what, from = 0, signal }) {
      signal?.throwIfAborted()
      const watch = createWatch(stallMs, signal)
      let url = new URL(base + path)
      let hubHeaders = new Headers()
      for (let hop = 0; ; hop++) {
        const isHub = url.origin === origin
        const response = await fetchOnce(url, watch, {
          // Sizes and ranges are those of the file, not of what a compression makes of it.
          'accept-encoding': 'identity',
          'user-agent': `synoptic/${version}`,
          ...(from > 0 ? { range: `bytes=${from}-` } : {}),
          ...(isHub && token !== undefined ? { authorization: `Bearer ${token}` } : {}),
        })
        if (isHub) hubHeaders = response.headers
        const location = isRedirect(response) ? response.headers.get('location') : null
        if (location === null) {
          if (!response.ok) throw await refuse(response, what, url, token !== undefined, watch)
          const body = () => read(response, url, watch)
          return { status: response.status, headers: response.headers, hubHeaders, body }
        }
        await response.body?.cancel()
        if (hop === mostRedirects) {
          const problem = `${what}: expected at most ${mostRedirects} redirects, got more`
          throw new UpstreamError('EBODY', problem)
        }
        url = redirected(location, url, what)
      }
    },
  }
}

const isRedirect = ({ status }: Response) => [301, 302, 303, 307, 308].includes(status)

function redirected(location: string, from: URL, what: string): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  const isSafe = url?.protocol === 'https:' || url?.protocol === from.protocol
  if (url !== undefined && isSafe) return url
  const expected = 'expected a redirect to an https address'
  throw new UpstreamError('EBODY', `${what}: ${expected}, got another from ${from.host}`)
}

/** Aborts a connection that is silent for too long, or that the caller wants to end. */
interface Watch {
  readonly signal: AbortSignal
  readonly stallMs: number
  start(): void
  stop(): void
  /** What a failed read means. */
  explain(url: URL, error: unknown): unknown
}

function createWatch(stallMs: number, signal: AbortSignal | undefined): Watch {
  const stalled = new AbortController()
  let timer: NodeJS.Timeout | undefined
  return {
    signal: signal === undefined ? stalled.signal : AbortSignal.any([stalled.signal, signal]),
    stallMs,
    start() {
      clearTimeout(timer)
      timer = setTimeout(() => stalled.abort(), stallMs)
    },
    stop: () => clearTimeout(timer),
    explain(url, error) {
      if (signal?.aborted) return signal.reason as unknown
      if (!stalled.signal.aborted) return networkError(url, error)
      return new UpstreamError('ETIMEOUT', `${url.host} sent nothing for ${stallMs / 1000} s`)
    },
  }
}

async function fetchOnce(url: URL, watch: Watch, headers: Record<string, string>) {
  watch.start()
  try {
    return await ky.get(url, {
      headers,
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      signal: watch.signal,
    })
  } catch (error) {
    throw watch.explain(url, error)
  } finally {
    watch.stop()
  }
}

async function* read(response: Response, url: URL, watch: Watch): AsyncGenerator<Uint8Array> {
  if (response.body === null) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  try {
    for (;;) {
      watch.start()
      const { done, value } = await reader.read()
      watch.stop()
      if (done) return
      yield value
    }
  } catch (error) {
    throw watch.explain(url, error)
  } finally {
    watch.stop()
    await reader.cancel().catch(() => undefined)
  }
}

/** The body is read to its end where it is short, so that the connection can be used again. */
async function refuse(
  response: Response,
  what: string,
  url: URL,
  hasToken: boolean,
  watch: Watch,
): Promise<unknown> {
  watch.start()
  try {
    await response.text()
  } catch (error) {
    return watch.explain(url, error)
  } finally {
    watch.stop()
  }
  return refusal(response, what, url.host, hasToken)
}

/** fetch says no more than "fetch failed"; what happened is in the cause, of which the code is kept. */
function networkError(url: URL, error: unknown): UpstreamError {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = root instanceof Error ? root.message : 'unknown reason'
  const code = root instanceof Error && 'code' in root ? root.code : undefined
  const reason = typeof code === 'string' ? code : message
  return new UpstreamError('ENETWORK', `the connection to ${url.host} failed: ${reason}`)
}
