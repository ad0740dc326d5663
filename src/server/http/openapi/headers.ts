/** Headers of responses, as `components.headers` of the document. */

export const exampleRequestId = '2f1c1c1e-6f0e-4a55-9d9b-1f4c1c5a7a10'

export const headers = {
  'X-Request-Id': text(
    'The X-Request-Id of the request, or a new one; it is also in the log.',
    exampleRequestId,
  ),
  'Server-Timing': text(
    'Milliseconds of each phase, of the whole search and of the request, as browsers and load balancers read them.',
    'queue;dur=0.01, tokenize;dur=0.21, infer;dur=0.35, scan;dur=0.09, hydrate;dur=0.12, total;dur=0.9, request;dur=1.3',
  ),
  'Retry-After': {
    description: 'Seconds to wait before another try.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'WWW-Authenticate': text(
    'How to send a key (RFC 6750), and why this one is refused.',
    'Bearer realm="synoptic"',
  ),
  RateLimit: text(
    'Requests of a window, how many of them are left, and seconds until the window ends.',
    'limit=1, remaining=0, reset=1',
  ),
  'RateLimit-Policy': text('Requests of a window; its seconds (`w`).', '1;w=1'),
  ETag: text('Names this version of the response, for If-None-Match.', 'W/"1a2b3c"'),
} as const

export type HeaderName = keyof typeof headers

/** On every response of a route with a rate limit. */
export const rateHeaders: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy']

function text(description: string, example: string) {
  return { description, schema: { type: 'string' }, example } as const
}
