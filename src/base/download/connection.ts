/** One request over HTTP. It ends if the server is silent; failures are UpstreamErrors. */
import ky from 'ky'
import { UpstreamError } from '../errors/index.js'
import { systemReason } from '../util/system-reason.js'

/** Aborts a connection that is silent for too long, or that the caller wants to end. */
export interface Watch {
  readonly signal: AbortSignal
  readonly stallMs: number
  start(): void
  stop(): void
  /** What a failed read means. */
  explain(url: URL, error: unknown): unknown
}

export function createWatch(stallMs: number, signal: AbortSignal | undefined): Watch {
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

export async function fetchOnce(url: URL, watch: Watch, headers: Record<string, string>) {
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

export async function* readBody(
  response: Response,
  url: URL,
  watch: Watch,
): AsyncGenerator<Uint8Array> {
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

/** fetch says only "fetch failed"; what happened is in the cause, whose code is kept. */
function networkError(url: URL, error: unknown): UpstreamError {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new UpstreamError(
    'ENETWORK',
    `the connection to ${url.host} failed: ${systemReason(root)}`,
  )
}

const isRedirect = ({ status }: Response) => [301, 302, 303, 307, 308].includes(status)

/** The address of the next request; null where the response is the last. */
export function redirectOf(response: Response, from: URL, what: string): URL | null {
  const location = isRedirect(response) ? response.headers.get('location') : null
  return location === null ? null : redirected(location, from, what)
}

function redirected(location: string, from: URL, what: string): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  const isSafe = url?.protocol === 'https:' || url?.protocol === from.protocol
  if (url !== undefined && isSafe) return url
  const expected = 'expected a redirect to an https address'
  throw new UpstreamError('EBODY', `${what}: ${expected}, got another from ${from.host}`)
}
