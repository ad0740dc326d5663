/** Admission, rate limit and route group of v1, over a socket. */
import { expect, it } from 'vitest'
import { openV1Scene } from './scene.js'

const words = ['--rate-limit', 'v1=1', '--rate-limit-loopback', '--workers', '1']
const limited = await openV1Scene(words)
const busy = await openV1Scene(['--limit-concurrency', '1'])
const without = await openV1Scene(['--enable-routes', 'health,models'])

const families = [
  { path: '/v1/embeddings', body: { input: 'a' }, members: ['error'] },
  { path: '/v2/rerank', body: { query: 'a', documents: ['b'] }, members: ['id', 'message'] },
  { path: '/embed', body: { inputs: 'a' }, members: ['error', 'error_type'] },
]

it('answers each family in its shape that it sends too many requests', async () => {
  for (const { path, body, members } of families) {
    let response = await limited.post(path, body)
    // A second may pass between two requests on a busy machine.
    for (let attempt = 0; attempt < 50 && response.status === 200; attempt += 1) {
      response = await limited.post(path, body)
    }
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).not.toBeNull()
    const problem = (await response.json()) as Record<string, unknown>
    expect(Object.keys(problem)).toEqual(members)
  }
  const { error } = (await (await limited.post('/v1/embeddings', {})).json()) as {
    error: object
  }
  expect(error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limited' })
})

it('answers each family in its shape that the server is full', async () => {
  const texts = Array.from({ length: 500 }, (_, i) => `${i} ${'ship at sea '.repeat(100)}`)
  const bodies = [{ input: texts }, { query: 'a', documents: texts }, { inputs: texts }]
  for (const [family, { path, members }] of families.entries()) {
    let refused: Response | undefined
    const endMs = performance.now() + 60_000
    while (refused === undefined && performance.now() < endMs) {
      const pending = Array.from({ length: 8 }, () => busy.post(path, bodies[family]))
      refused = (await Promise.all(pending)).find(({ status }) => status === 503)
    }
    expect(refused?.headers.get('retry-after')).not.toBeNull()
    const problem = (await refused?.json()) as Record<string, unknown>
    expect(Object.keys(problem)).toEqual(members)
    if (members.includes('id')) expect(problem.id).toBe(refused?.headers.get('x-request-id'))
  }
})

it('is not there where its group is not, and then errors are problems', async () => {
  for (const { path, body } of families) {
    const response = await without.post(path, body)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  }
})
