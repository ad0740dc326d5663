/** Writes of a real server of two processes: searchable in both, and not lost by kills. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Task } from '#synoptic/server/schemas/writes.js'
import { importSample } from '../serve/sample.js'
import { firstId, openWritable, runTrial, type Writable } from './trial.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-served-'))
let writable: Writable

beforeAll(async () => {
  await importSample(folder)
  writable = await openWritable(folder, 2)
}, 120_000)
afterAll(async () => {
  await writable.server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const description = 'A hedgehog bakes bread in a lighthouse for lost sailors.'
const id = firstId - 1

async function found(): Promise<unknown[]> {
  const body = { model: 'builtin/static-en', description, resultsPerPage: 1 }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => writable.send('POST', '/searchmodel/anime', body)),
  )
  return answers.map((answer) => (answer.body as { results: { id: number }[] }).results[0]?.id)
}

/** Waits until every process finds it, before it is merged or after. */
async function untilAll(id: number): Promise<void> {
  while ((await found()).some((one) => one !== id)) await sleep(20)
}

describe('a server that takes writes', () => {
  it('finds an entry in every process once its task is done, and does not once it is deleted', async () => {
    const entry = { id, title: 'The Lighthouse Baker', texts: { synopsis: description } }
    const { status, body } = await writable.send('PUT', '/entries/anime', [entry])
    expect(status).toBe(202)
    await untilAll(id)
    await writable.settled()
    expect(await found()).toEqual(Array.from({ length: 8 }, () => id))
    const { id: task } = body as Task
    const { body: done } = await writable.send('GET', `/tasks/${task}`)
    expect(done).toMatchObject({ status: 'done', added: 1, failures: [] })

    await writable.send('PATCH', `/entries/anime/${id}`, { year: 1971 })
    const patched = await writable.send('DELETE', `/entries/anime/${id}`)
    const late = await writable.send('PATCH', `/entries/anime/${id}`, { year: 1972 })
    await writable.settled()
    expect(await found()).not.toContain(id)
    expect((await writable.send('GET', `/entries/anime/${id}`)).status).toBe(404)
    const taskOf = async ({ body }: { body: unknown }) =>
      (await writable.send('GET', `/tasks/${(body as Task).id}`)).body
    expect(await taskOf(patched)).toMatchObject({ status: 'done', deleted: 1 })
    expect(await taskOf(late)).toMatchObject({
      status: 'failed',
      failures: [{ id, reason: 'there is no anime with this id' }],
    })
  })

  it('loses no write and no search by kills', async () => {
    const trial = { clients: 2, upserts: 60, perUpload: 5, deletes: 12, kills: 2, workers: 1 }
    const { lostWrites, searches, answeredUpserts, answeredDeletes } = await runTrial(
      writable,
      trial,
    )
    expect({ lostWrites, answeredUpserts, answeredDeletes }).toEqual({
      lostWrites: 0,
      answeredUpserts: 60,
      answeredDeletes: 12,
    })
    expect(Object.keys(searches)).toEqual(['200'])
  })

  it(
    'loses none of 10,000 under 32 clients',
    { tags: ['nightly'], timeout: 1_800_000 },
    async () => {
      const trial = {
        clients: 32,
        upserts: 10_000,
        perUpload: 100,
        deletes: 1000,
        kills: 3,
        workers: 2,
      }
      const losses = await runTrial(writable, trial)
      console.log(losses)
      expect(losses).toMatchObject({
        lostWrites: 0,
        answeredUpserts: 10_000,
        answeredDeletes: 1000,
      })
      expect(Object.keys(losses.searches)).toEqual(['200'])
    },
  )
})
