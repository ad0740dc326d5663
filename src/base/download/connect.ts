/** A GET of a public address, with redirects, whose failures are UpstreamErrors. */
import { UpstreamError } from '../errors/index.js'
import { version } from '../util/version.js'
import { createWatch, fetchOnce, readBody, redirectOf } from './connection.js'
import { Refusal, waitOf } from './refusal.js'

export interface ConnectOptions {
  /** What an error calls the request. */
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that are not failures, in addition to those of success. */
  readonly accepted?: readonly number[]
  readonly signal?: AbortSignal | undefined
  readonly stallMs?: number
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Its bytes as they come. Throws an UpstreamError where they stop coming. */
  body(): AsyncGenerator<Uint8Array>
}

const defaultStallMs = 30_000
const maxRedirects = 5

export async function connect(
  address: URL,
  { what, headers = {}, accepted = [], signal, stallMs = defaultStallMs }: ConnectOptions,
): Promise<Reply> {
  signal?.throwIfAborted()
  const watch = createWatch(stallMs, signal)
  let url = address
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await fetchOnce(url, watch, {
      // Sizes and ranges are those of the file, not of what a compression makes of it.
      'accept-encoding': 'identity',
      'user-agent': `synoptic/${version}`,
      ...headers,
    })
    const next = redirectOf(response, url, what)
    if (next === null) {
      const { status, ok } = response
      if (ok)
        return { status, headers: response.headers, body: () => readBody(response, url, watch) }
      await response.body?.cancel()
      if (!accepted.includes(status)) throw refusal(response, what, url.host)
      return { status, headers: response.headers, body: () => readBody(new Response(), url, watch) }
    }
    await response.body?.cancel()
    url = next
  }
  throw new UpstreamError('EBODY', `${what}: expected at most ${maxRedirects} redirects, got more`)
}

function refusal({ status, headers }: Response, what: string, host: string): Refusal {
  const code = status === 429 ? 'EDEADLINE' : status >= 500 ? 'ESERVER' : 'ESTATUS'
  const why =
    status === 404
      ? 'there is no such file; it may have moved'
      : status === 429
        ? 'too many requests'
        : status >= 500
          ? 'the server has a fault of its own; try again later'
          : 'expected 200 or a redirect'
  return new Refusal(code, `${host} refused ${what} (${status}): ${why}`, status, waitOf(headers))
}
