/**
 * Compresses responses for clients that accept it. hono/compress knows no Brotli and no zstd, and makes a stream of
 * every response; here a client that accepts none costs one look at a header.
 */
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { accepts } from 'hono/accepts'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress'
import type { AppContext, AppMiddleware } from '../env.js'

/** What is shorter fits in a packet anyway. */
const minBytes = 1024

type Compress = (body: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>

/** Node has zstd from version 22.15 on, and its types for Node 20 do not know it. */
const { zstdCompress } = zlib as { readonly zstdCompress?: typeof zlib.deflate }
const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)] as const
const zstd = zstdCompress && promisify(zstdCompress)
/** Node's default of 11 is for files that are compressed once. */
const brotliQuality = 4
const gzipLevel = 5

/** The best first: all run on threads of libuv, and the first takes the least time for the fewest bytes. */
const encodings: ReadonlyMap<string, Compress> = new Map<string, Compress>([
  ...(zstd ? [['zstd', (body: Uint8Array) => zstd(body)] as const] : []),
  [
    'br',
    (body) =>
      brotli(body, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
        },
      }),
  ],
  ['gzip', (body) => gzip(body, { level: gzipLevel })],
])
const names = [...encodings.keys()]

export const compress: AppMiddleware = function compress(c, next) {
  // For caches: also where this response is not compressed, another one of the same path may be.
  c.header('Vary', 'Accept-Encoding', { append: true })
  return c.req.header('accept-encoding') === undefined ? next() : compressed(c, next)
}

async function compressed(c: AppContext, next: () => Promise<void>): Promise<void> {
  await next()
  const encoding = encodingOf(c)
  const encode = encodings.get(encoding)
  const { res } = c
  if (encode === undefined || c.req.method === 'HEAD' || !isCompressible(res)) return
  const body = new Uint8Array(await res.arrayBuffer())
  const isShort = body.byteLength < minBytes
  const bytes = isShort ? body : await encode(body)
  const headers = new Headers(res.headers)
  if (!isShort) {
    headers.set('Content-Encoding', encoding)
    headers.delete('Content-Length')
  }
  // Without this, Hono would make a stream of the new body.
  c.res = undefined
  c.res = new Response(bytes, { status: res.status, headers })
}

/** A stream of events must arrive event by event, and its type is not among the compressible ones. */
function isCompressible({ headers, status }: Response): boolean {
  if (status === 204 || status === 304 || headers.has('content-encoding')) return false
  if (/\bno-transform\b/i.test(headers.get('cache-control') ?? '')) return false
  return COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('content-type') ?? '')
}

/** That with the highest weight that the client gives, `identity` where it gives none of them any. */
const encodingOf = (c: AppContext): string =>
  accepts(c, {
    header: 'Accept-Encoding',
    supports: [...names, 'identity'],
    default: 'identity',
    match(accepted) {
      const weights = new Map(accepted.map(({ type, q }) => [type.toLowerCase(), q]))
      const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
      const best = Math.max(...names.map(weightOf))
      const isPlainBetter = (weights.get('identity') ?? 0) > best
      return best === 0 || isPlainBetter
        ? 'identity'
        : (names.find((name) => weightOf(name) === best) ?? 'identity')
    },
  })
