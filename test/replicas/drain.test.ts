/** What a balancer and its clients see of one server that drains, in one process and in several. */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { withoutSearch } from '../faults/scene.js'
import { ask, deathNote, startServer, workersOf } from '../serve/child.js'
import { until } from '../serve/load.js'
import { importSample } from '../serve/sample.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-drain-'))
beforeAll(() => importSample(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

interface Answer {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly text: string
}

/** On a connection that stays open if the server wants it to. */
function get(origin: string, path: string): Promise<Answer> {
  const agent = new Agent({ keepAlive: true })
  return new Promise<Answer>((resolve, reject) => {
    request(`${origin}${path}`, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => {
        const { statusCode: status, headers } = response
        resolve({ status, connection: headers.connection, text })
      })
    })
      .on('error', reject)
      .end()
  }).finally(() => agent.destroy())
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.each([1, 2])('a server of --workers %i that drains', (workers) => {
  const words = [
    '--workers',
    String(workers),
    '--threads',
    '1',
    '--log-file',
    'none',
    '--rate-limit',
    '0',
    ...withoutSearch,
  ]

  it('says so, serves on, and ends at once at a second signal', async () => {
    // Longer than any test.
    const server = await startServer(folder, [...words, '--drain', '3000'])
    // A test that fails leaves none behind.
    onTestFinished(() => void server.child.kill('SIGKILL'))
    const processes = workersOf(server)
    expect((await get(server.origin, '/readyz')).connection).toBe('keep-alive')
    server.child.kill('SIGTERM')
    // Every process has heard of it when none of many connections says otherwise.
    let inTurn = 0
    await until(async () => {
      inTurn = (await get(server.origin, '/readyz')).status === 503 ? inTurn + 1 : 0
      return inTurn === 20
    })
    const { status, connection, text } = await get(server.origin, '/readyz')
    expect({ status, connection }).toEqual({ status: 503, connection: 'close' })
    expect(JSON.parse(text)).toMatchObject({ status: 'stopping' })
    expect((await get(server.origin, '/livez')).connection).toBe('close')
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    await server.stop('SIGTERM')
    await until(() => !processes.some(isAlive))
    await expect(get(server.origin, '/livez')).rejects.toThrow('ECONNREFUSED')
  })

  it('stops with status 0 once it has drained', async () => {
    const server = await startServer(folder, [...words, '--drain', '0.5'])
    expect(await server.stop('SIGTERM')).toBe(0)
    await expect(get(server.origin, '/livez')).rejects.toThrow('ECONNREFUSED')
  })
})
