/** Requests that somebody might send by mistake or on purpose, always the same for one seed. */
import type { OpenApi } from '../http/openapi-document.js'

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

export interface Fuzzer {
  /** Well-formed HTTP, with anything in it. */
  request(): FuzzRequest
  /** The bytes of a request, a few of them changed. */
  bytes(): Buffer
}

/** @param document whose paths and examples are the beginning of every request */
export function createFuzzer(document: OpenApi, seed: number): Fuzzer {
  const random = mulberry32(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const seldom = () => random() < 0.15

  const routes = Object.entries(document.paths).flatMap(([path, item]) => [
    ...(item.get === undefined ? [] : [{ method: 'GET', path, body: undefined }]),
    ...(item.post === undefined
      ? []
      : Object.values(item.post.requestBody?.content['application/json'].examples ?? {}).map(
          ({ value }) => ({ method: 'POST', path, body: value }),
        )),
  ])

  function mutate(value: Record<string, unknown>): unknown {
    if (seldom()) return pick(junk)
    const members = Object.entries(value).filter(() => random() > 0.05)
    const changed = members.map(([name, member]) => [name, random() < 0.3 ? pick(junk) : member])
    if (seldom()) changed.push([pick(['__proto__', 'constructor', '', 'page', 'x']), pick(junk)])
    return Object.fromEntries(changed)
  }

  function spoil(bytes: Buffer): Buffer {
    const copy = [...bytes]
    for (let n = 1 + below(4); n > 0; n--) {
      const at = below(copy.length + 1)
      const kind = below(4)
      if (kind === 0) copy.splice(at, 1 + below(8))
      else if (kind === 1)
        copy.splice(at, 0, ...Array.from({ length: 1 + below(8) }, () => below(256)))
      else if (kind === 2) copy[at] = below(256)
      else copy.splice(at, 0, ...copy.slice(at, at + below(64)))
    }
    return Buffer.from(copy)
  }

  function request(): FuzzRequest {
    const route = pick(routes)
    const query = random() < 0.4 ? `?${pick(queries)}&${pick(queries)}` : ''
    const path = (seldom() ? pick(paths) : route.path.replace('{name}', pick(names))) + query
    const method = seldom()
      ? pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      : route.method
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (seldom())
      headers['content-type'] = pick(['text/plain', 'application/json; charset=latin1', 'x', ''])
    if (random() < 0.3) headers[pick(headerNames)] = pick(headerValues)
    if (method === 'GET' || method === 'HEAD' || route.body === undefined) {
      return { method, path, headers, body: undefined }
    }
    const text = Buffer.from(JSON.stringify(mutate(route.body)))
    return { method, path, headers, body: seldom() ? spoil(text) : text }
  }

  return {
    request,
    bytes() {
      const { method, path, headers, body = Buffer.alloc(0) } = request()
      const lines = Object.entries({ Host: 'a', Connection: 'close', ...headers })
      if (body.length > 0) lines.push(['Content-Length', String(body.length)])
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      return spoil(Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`), body]))
    },
  }
}

const junk: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  2,
  1.5,
  -0,
  1e308,
  2 ** 53,
  10_000,
  101,

  '',
  ' ',
  '0',
  '5',
  'NaN',
  'all',
  'cuda',
  'cuda:99',
  'cpu',
  '../../etc/passwd',
  '\0',
  '\ud800',

  'builtin/static-en',
  'encoders/all-MiniLM-L6-v2',
  '"; DROP TABLE entries; --',
  'a* OR "b" NEAR(',

  '🧙'.repeat(2000),
  'x'.repeat(2001),
  'a '.repeat(1000),
  '\u202e\u0301\uFEFF',
  '見えない'.repeat(300),
  [],
  [[]],
  {},
  { a: { b: [1] } },
  [1, 2, 3],
  Array(1000).fill('x'),
  { toString: 'x' },
]
/** As they are in a path. */
const names = [
  'builtin/static-en',
  'builtin%2Fstatic-en',
  '%F0%9F%A7%99',
  '..%2F..%2Fetc%2Fpasswd',
  '%00',
  '%',
  '%zz',
  'x'.repeat(5000),
  'encoders',
  '.',
  '..',
  ';',
  '?',
  '%ED%A0%80',
]
const paths = [
  '/',
  '//',
  '/%',
  '/%00',
  '/%2e%2e/',
  '/search',
  '/searchmodel/films',
  '/models/',
  '/docs/x',
  '/models/%2F%2F',
  '/models/..%2f..%2fetc',
  '/metrics/',
  '/readyz',
  `/${'a'.repeat(3000)}`,
]
const queries = [
  'candidates=all',
  'candidates=0',
  'candidates=1e9',
  'candidates=10',
  'device=cuda:9',
  'device=x',

  'include_light_novels=maybe',
  'include_light_novels=1',
  'model_name=',
  'model_name=..%2F..',
  '%',
  '=',
  'model_name=builtin/maxsim-en',
  'x=1',
  'candidates=5&candidates=6',
  `x=${'y'.repeat(2000)}`,
]
const headerNames = [
  'x-request-id',
  'prefer',
  'x-envoy-expected-rq-timeout-ms',
  'x-forwarded-for',
  'origin',

  'content-encoding',
  'accept',
  'if-none-match',
  'expect',
  'range',
  'access-control-request-method',
]
const headerValues = [
  '',
  '0',
  '1',
  '-1',
  '99999999999',
  'wait=1',
  'gzip',
  '*',
  '"x"',
  'a, b, c',
  'é',

  '100-continue',
  'bytes=0-1',
  '::1',
  '1.1.1.1, 2.2.2.2',
  'https://example.org',
  'x'.repeat(4000),
]

/** A small generator of good enough numbers from 0 to 1. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
