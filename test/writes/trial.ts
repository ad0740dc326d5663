/** Writes and searches against a server that is killed now and then; counts what is lost at the end. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey, hashOf } from '#synoptic/base/keys/api-key.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import type { Task } from '#synoptic/server/schemas/writes.js'
import { deathNote, startServer, type ServerChild } from '../serve/child.js'

export interface Trial {
  readonly clients: number
  readonly upserts: number
  readonly perUpload: number
  readonly deletes: number
  readonly kills: number
  /** Of the servers after a kill; as before where absent. */
  readonly workers?: number
}

export interface Losses {
  /** Answered writes that the catalogue lacks at the end. */
  readonly lostWrites: number
  readonly answeredUpserts: number
  readonly answeredDeletes: number
  /** Searches by outcome; those that a kill cut are not among them. */
  readonly searches: Readonly<Record<string, number>>
  /** Until all was searchable, once the last write was answered. */
  readonly settledMs: number
}

export const firstId = 9_000_000

/** A server that takes writes, in a folder with a catalogue. */
export interface Writable {
  server: ServerChild
  readonly folder: string
  start(workers?: number): Promise<void>
  /** At once, in the middle of whatever it does. */
  kill(): Promise<void>
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** Resolves when every write is done or failed. */
  settled(): Promise<void>
}

export async function openWritable(folder: string, workers: number): Promise<Writable> {
  const key = createApiKey()
  const record = {
    name: 'writer',
    hash: hashOf(key).toString('hex'),
    scopes: ['search', 'write'],
    created: '2026-01-01T00:00:00.000Z',
  }
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [record] }))
  const routes = ['--enable-routes', 'searchmodel,browse,writes,health']
  // Tests wait for answers, however busy the machine.
  const patient = ['--rate-limit', '0', '--request-timeout', '600']
  let latest = workers
  const start = (workers: number) => {
    const words = ['--workers', String((latest = workers))]
    return startServer(folder, [...patient, '--api-keys', 'keys.json', ...routes, ...words])
  }
  const writable: Writable = {
    server: await start(workers),
    folder,
    async start(workers = latest) {
      writable.server = await start(workers)
    },
    async kill() {
      const { child } = writable.server
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async send(method, path, body) {
      const response = await fetch(`${writable.server.origin}${path}`, {
        method,
        // A connection each, so that all workers have some.
        headers: {
          authorization: `Bearer ${key}`,
          connection: 'close',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    },
    async settled() {
      for (;;) {
        const { body } = await writable.send('GET', '/tasks?limit=1000')
        const { tasks } = body as { tasks: readonly Task[] }
        if (tasks.every(({ status }) => status === 'done' || status === 'failed')) return
        await sleep(100)
      }
    },
  }
  return writable
}

export async function runTrial(
  writable: Writable,
  { clients, upserts, perUpload, deletes, kills, workers }: Trial,
): Promise<Losses> {
  const expected = new Map<number, boolean>()
  const searches: Record<string, number> = {}
  const uploads = Math.ceil(upserts / perUpload)
  const progress = { done: 0, isOver: false, isDown: false }

  /** Until it is answered: what a kill cuts is sent again. */
  async function sendUntilAnswered(method: string, path: string, body?: unknown): Promise<number> {
    for (;;) {
      try {
        const { status } = await writable.send(method, path, body)
        if (status !== 503) return status
      } catch {
        // The server is down.
      }
      await sleep(20)
    }
  }

  async function write(): Promise<{ upserted: number; deleted: number }> {
    let [upserted, deleted] = [0, 0]
    for (let upload = 0; upload < uploads; upload += 1) {
      const ids = Array.from({ length: perUpload }, (_, i) => firstId + upload * perUpload + i)
      const body = ids.map((id) => ({
        id,
        title: `Written ${id}`,
        texts: { synopsis: `The keeper of lighthouse ${id} writes letters to the sea.` },
      }))
      const status = await sendUntilAnswered('PUT', '/entries/anime', body)
      if (status !== 202) throw new Error(`an upload was answered with ${status}`)
      for (const id of ids) expected.set(id, true)
      upserted += ids.length
      const until = Math.floor((deletes * (upload + 1)) / uploads)
      for (const id of ids.slice(0, until - deleted)) {
        const answered = await sendUntilAnswered('DELETE', `/entries/anime/${id}`)
        // An earlier attempt that was not answered may have deleted it.
        if (answered !== 202 && answered !== 404) throw new Error(`a deletion: ${answered}`)
        expected.set(id, false)
        deleted += 1
      }
      progress.done = upload + 1
    }
    return { upserted, deleted }
  }

  async function search(): Promise<void> {
    while (!progress.isOver) {
      const { server } = writable
      // One that was sent before a kill may fail after the next start. Workers outlive their primary for a moment.
      const isCut = () => progress.isDown || server !== writable.server
      try {
        const { status, body } = await writable.send('POST', '/searchmodel/anime', deathNote)
        if (status === 503 && isCut()) continue
        const outcome = status === 200 ? '200' : JSON.stringify(body)
        searches[outcome] = (searches[outcome] ?? 0) + 1
      } catch (error) {
        if (!isCut()) throw error
        await sleep(20)
      }
    }
  }

  async function killSometimes(): Promise<void> {
    for (let kill = 1; kill <= kills; kill += 1) {
      while (progress.done < (uploads * kill) / (kills + 1)) await sleep(5)
      progress.isDown = true
      await writable.kill()
      await writable.start(workers)
      progress.isDown = false
    }
  }

  const searching = Promise.all(Array.from({ length: clients }, search))
  const [{ upserted, deleted }] = await Promise.all([write(), killSometimes()])
  const begun = performance.now()
  await writable.settled()
  const settledMs = performance.now() - begun
  progress.isOver = true
  await searching
  return {
    lostWrites: countLost(writable.folder, expected),
    answeredUpserts: upserted,
    answeredDeletes: deleted,
    searches,
    settledMs,
  }
}

function countLost(folder: string, expected: ReadonlyMap<number, boolean>): number {
  const catalogue = openCatalogue(join(folder, 'data', 'catalogue.sqlite'))
  try {
    return [...expected].filter(
      ([id, isThere]) => (catalogue.rowOfId('anime', id) !== undefined) !== isThere,
    ).length
  } finally {
    catalogue.close()
  }
}
