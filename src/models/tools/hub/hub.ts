/**
 * A hub of models, by the interface of huggingface.co: a listing of a revision's files, and the files.
 * Large files come from other hosts, by redirects that are followed here: the token goes to the hub
 * alone, and what the hub says of a file (size, hash) is in its own response, before the redirect.
 */
import {
  createWatch,
  fetchOnce,
  readBody,
  redirectOf,
  type Watch,
} from '../../../base/download/connection.js'
import { UpstreamError } from '../../../base/errors/index.js'
import { version } from '../../../base/util/version.js'
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

interface GetOptions {
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
  const base = endpoint.replace(/(?<!\/)\/+$/, '')
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
        const next = redirectOf(response, url, what)
        if (next === null) {
          if (!response.ok) throw await refuse(response, what, url, token !== undefined, watch)
          const body = () => readBody(response, url, watch)
          return { status: response.status, headers: response.headers, hubHeaders, body }
        }
        await response.body?.cancel()
        if (hop === mostRedirects) {
          const problem = `${what}: expected at most ${mostRedirects} redirects, got more`
          throw new UpstreamError('EBODY', problem)
        }
        url = next
      }
    },
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
