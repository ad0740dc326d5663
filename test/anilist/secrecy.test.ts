import { inspect } from 'node:util'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { createLineLogger, type Logger } from '#synoptic/data/anilist/logger.js'
import { useHarness } from './harness.js'
import type { Script } from './graphql-server.js'

const h = useHarness()
const token = 'eyJhbGciOiJSUzI1NiJ9.very-secret-payload.signature'
const query = 'query { Viewer { id } }'

/** Everything that can go wrong, with a service that repeats the token wherever it can. */
const trouble: Record<string, Script> = {
  '200 with errors': { body: { errors: [{ message: `token ${token} is too old` }] } },
  '200 with errors, the token at the cut': {
    body: { errors: [{ message: `${'x'.repeat(190)}${token}` }] },
  },
  '200 without JSON': { body: `Bearer ${token}` },
  '200 with JSON that breaks at the token': { body: `{"a": ${token}}` },
  '400': { status: 400, body: { errors: [{ message: token }] } },
  '401': { status: 401, body: { errors: [{ message: `Invalid token: ${token}` }] } },
  '404': { status: 404, body: token },
  '429': { status: 429, headers: { 'retry-after': token, 'x-ratelimit-reset': token } },
  '500': { status: 500, body: { errors: [{ message: `stack of ${token}` }] } },
  redirect: { status: 307, headers: { location: `http://${token}/` } },
  'a broken connection': (response) => response.destroy(),
  'a broken answer': (response) => void response.socket?.end(`HTTP/9 ${token}\r\n\r\n`),
  silence: () => undefined,
}

describe.each(Object.entries(trouble))('the token stays secret after %s', (_case, script) => {
  test('in the log, in results and in errors', async () => {
    await h.configure({ ACCESS_TOKEN: token })
    h.server.script(script)
    const client = h.client({ timeoutMs: 100, deadlineMs: 130_000 })
    // What the service sent as data is the caller's; all the rest is shown to people.
    const seen = { ...(await client.query(query)), body: undefined }
    const checked = await client.tokenNeedsRefresh()
    expect(h.server.received[0]?.headers.authorization).toBe(`Bearer ${token}`)
    const heard = inspect({ seen, checked, log: h.log.entries }, { depth: null, showHidden: true })
    // A part of it would do.
    for (let at = 0; at + 8 <= token.length; at += 1) {
      expect(heard).not.toContain(token.slice(at, at + 8))
    }
  })
})

test('a pino logger fits, and what it writes holds no token', async () => {
  await h.configure({ ACCESS_TOKEN: token })
  const lines: string[] = []
  const logger: Logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  h.server.script({ status: 500, body: { errors: [{ message: token }] } })
  await h.client({ logger }).query(query)
  h.server.script((response) => response.destroy())
  await h.client({ logger }).tokenNeedsRefresh()
  expect(lines).toHaveLength(5)
  expect(lines.join('')).not.toContain(token)
  expect(lines.join('')).toContain('[token]')
})

test('a line logger writes a line a message, without debugging', () => {
  const lines: string[] = []
  const logger = createLineLogger((line) => lines.push(line))
  for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level]({ a: 1 }, level)
  expect(lines).toEqual(['info', 'warning: warn', 'error: error'])
})
