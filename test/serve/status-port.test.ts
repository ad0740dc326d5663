/** The operators' view on a port of its own: there, and nowhere else. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { StatusEvent } from '#synoptic/server/http/status-events.js'
import { freePort } from '../helpers/sockets.js'
import { cli, startServer, type ServerChild } from './child.js'
import { importSample } from './sample.js'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-status-'))
  await importSample(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function firstEvent(origin: string): Promise<StatusEvent> {
  const { body } = await fetch(`${origin}/status/events`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    // Leaving the loop closes the stream.
    if (text.includes('\n\n')) break
  }
  const [, data] = /^data: (.*)$/m.exec(text) ?? []
  return JSON.parse(data ?? '') as StatusEvent
}

describe.each([1, 2])('--status-port with %i workers', (workers) => {
  let server: ServerChild
  let status: string
  beforeAll(async () => {
    const port = await freePort()
    status = `http://127.0.0.1:${port}`
    const words = ['--workers', String(workers), '--rate-limit', '0', '--status-port', String(port)]
    server = await startServer(folder, words)
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
  })

  it('says where it is', () => {
    expect(server.output.stdout).toContain(`status: ${status}/status`)
  })

  it.each(['/status', '/status/events', '/status/status.js'])(
    'serves %s there alone',
    async (path) => {
      const there = await fetch(`${status}${path}`)
      expect(there.status).toBe(200)
      await there.body?.cancel()
      const here = await fetch(`${server.origin}${path}`)
      expect(here.status).toBe(404)
      await here.arrayBuffer()
    },
  )

  it('serves there what it links to, and no search', async () => {
    expect((await fetch(`${status}/metrics`)).status).toBe(200)
    expect((await fetch(`${status}/livez`)).status).toBe(200)
    const body = JSON.stringify({ query: 'a notebook' })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    expect((await fetch(`${status}/search/anime`, init)).status).toBe(404)
    expect((await fetch(`${server.origin}/search/anime`, init)).status).toBe(200)
  })

  it('lists sources with their licences, no GPU, and the last reload', async () => {
    const { health, gpu } = await firstEvent(status)
    expect(gpu).toBeNull()
    expect(health.last_reload).toBeNull()
    const { version, sources } = health.datasets.anime ?? {}
    expect(version).toMatch(/^[0-9a-f]{64}$/)
    for (const source of sources ?? []) {
      expect(Object.values(source).every((value) => typeof value === 'string')).toBe(true)
    }
    server.child.kill('SIGHUP')
    await vi.waitFor(
      async () => {
        const { health: now } = await firstEvent(status)
        expect(now.last_reload).toMatchObject({ result: 'done' })
        expect(Date.parse(now.last_reload?.at ?? '')).not.toBeNaN()
      },
      { timeout: 170_000, interval: 200 },
    )
    // Nothing that says where things lie, or how to get in.
    expect(JSON.stringify(await firstEvent(status))).not.toContain(folder)
  })

  it('stops with people watching', async () => {
    const watching = await fetch(`${status}/status/events`)
    expect(await server.stop()).toBe(0)
    await watching.text().catch(() => undefined)
  })
})

describe('--status-port', () => {
  const start = (...words: string[]) =>
    spawnSync(process.execPath, [cli, 'serve', '--workers', '1', ...words], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 170_000,
    })

  it('that is taken ends the start at once, with its number', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { status, stderr } = start('--port', '0', '--status-port', String(port))
    other.close()
    expect(status).toBe(1)
    expect(stderr).toContain(String(port))
  })

  it.each([
    [['--port', '8765', '--status-port', '8765'], 'another port than --port'],
    [['--status-port', '0'], 'from 1 to 65535'],
    [['--status-port', 'all'], 'from 1 to 65535'],
  ])('refuses %j', (words, problem) => {
    const { status, stderr } = start(...words)
    expect(status).toBe(2)
    expect(stderr).toContain(problem)
  })

  it('serves nothing there where the group is off', async () => {
    const port = await freePort()
    const words = ['--status-port', String(port), '--enable-routes', 'health']
    const server = await startServer(folder, ['--workers', '1', ...words])
    expect((await fetch(`http://127.0.0.1:${port}/status`)).status).toBe(404)
    expect(await server.stop()).toBe(0)
  })
})
