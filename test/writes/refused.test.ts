/** Entries that a model or the catalogue cannot take: their writes fail with a reason, and the others are merged. */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { catalogueFile, openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { readWriteResults } from '#synoptic/data/catalogue/write-results.js'
import { journalFile, lineOf } from '#synoptic/data/writes/journal.js'
import { mergeWrites } from '#synoptic/data/writes/merge-writes.js'
import type { WriteOperation, WrittenEntry } from '#synoptic/data/writes/operation.js'
import { keepWrites } from '#synoptic/server/serve/keep-writes.js'
import { model, openWorkshop } from '../embed/workshop.js'
import { tinyTableWith } from '../helpers/tiny-model.js'

/** A dataset whose model gives no vector to texts with the word `gamma`. */
async function openShop() {
  const shop = openWorkshop([['alpha'], ['beta']])
  shop.writeModel({ graph: { table: tinyTableWith(['gamma'], NaN) } })
  await shop.build()
  const { folder: dataDir, embeddingsDir } = shop
  const settings = { dataDir, embeddingsDir, modelsDir: `${dataDir}/models`, device: 'cpu' }
  return {
    settings,
    ids: () => {
      const catalogue = openCatalogue(catalogueFile(dataDir))
      try {
        const { rows = 0 } = catalogue.dataset('anime') ?? {}
        return Array.from({ length: rows }, (_, row) => {
          const { id } = catalogue.entry('anime', row)
          return [id, catalogue.text('anime', row, 0)]
        })
      } finally {
        catalogue.close()
      }
    },
    merge: async (...operations: readonly WriteOperation[]) => {
      const lines = operations.map((operation, i) => lineOf({ seq: i + 1, at: 'now', operation }))
      writeFileSync(journalFile(dataDir), lines.join(''))
      await mergeWrites(settings)
      return readWriteResults(catalogueFile(dataDir))
    },
  }
}

const entry = (id: number, synopsis: string, more: Partial<WrittenEntry> = {}): WrittenEntry => ({
  id,
  title: `New ${id}`,
  facts: {},
  texts: { synopsis },
  ...more,
})
const put = (...entries: readonly WrittenEntry[]): WriteOperation => ({
  kind: 'put',
  dataset: 'anime',
  entries,
})
const patch = (id: number, changes: object): WriteOperation => ({
  kind: 'patch',
  dataset: 'anime',
  id,
  changes,
})

describe('a text that a model cannot encode', () => {
  it('fails alone, with a reason', async () => {
    const { merge, ids } = await openShop()
    const results = await merge(put(entry(7, 'gamma'), entry(8, 'delta'), entry(9, 'alpha gamma')))
    const reason = `the model ${model} gives NaN, infinity or zeros alone for its synopsis`
    expect(results).toMatchObject([
      {
        added: 1,
        updated: 0,
        failures: [
          { id: 7, reason },
          { id: 9, reason },
        ],
      },
    ])
    expect(ids()).toEqual([
      [1, 'alpha'],
      [2, 'beta'],
      [8, 'delta'],
    ])
  })

  it('fails the write that has brought it, and no other of the same entry', async () => {
    const { merge, ids } = await openShop()
    const results = await merge(
      put(entry(1, 'eta')),
      patch(1, { texts: { synopsis: 'gamma' } }),
      patch(1, { year: 1999 }),
      put(entry(5, 'gamma')),
      put(entry(5, 'theta')),
    )
    expect(results.map(({ failures }) => failures.map(({ id }) => id))).toEqual([
      [],
      [1],
      [],
      [],
      [],
    ])
    expect(ids()).toEqual([
      [1, 'eta'],
      [2, 'beta'],
      [5, 'theta'],
    ])
  })
})

describe('an entry that the catalogue cannot store', () => {
  it('fails alone, with a reason', async () => {
    const { merge, ids } = await openShop()
    // As a journal of another version may have it; requests are checked.
    const broken = entry(4, 'beta', { title: null as unknown as string })
    const results = await merge(put(entry(3, 'zeta'), broken, entry(5, 'gamma')), put(broken))
    expect(results).toMatchObject([
      { added: 1, failures: [{ id: 4, reason: expect.any(String) as string }, { id: 5 }] },
      { added: 0, failures: [{ id: 4 }] },
    ])
    expect(results[0]?.failures[0]?.reason).toMatch(/^the entry cannot be stored: /)
    expect(ids()).toEqual([
      [1, 'alpha'],
      [2, 'beta'],
      [3, 'zeta'],
    ])
  })
})

describe('the owner of the journal', () => {
  it('reports the failure in its task and goes on', { timeout: 60_000 }, async () => {
    const { settings, ids } = await openShop()
    const kept = await keepWrites(settings, pino({ level: 'silent' }))
    try {
      const merged = new Promise<void>((resolve) =>
        kept.begin({ reload: () => Promise.resolve(), showPending: () => undefined }, resolve),
      )
      const bad = await kept.write(put(entry(7, 'gamma')))
      const good = await kept.write(put(entry(8, 'delta')))
      await merged
      while ((await kept.task(good.id))?.status !== 'done') await sleep(20)
      expect(await kept.task(bad.id)).toMatchObject({
        status: 'failed',
        problem: null,
        failures: [{ id: 7, reason: expect.stringMatching(/^the model fine_tuned/) as string }],
      })
      expect(ids().at(-1)).toEqual([8, 'delta'])
    } finally {
      await kept.stop()
    }
  })
})
