/** Writes laid over a catalogue, in their order. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { applyWrites, firstBatch } from '#synoptic/data/writes/apply.js'
import type { WriteOperation, WrittenEntry } from '#synoptic/data/writes/operation.js'
import { build, row, useFolder } from '../catalogue/shelf.js'

const folder = useFolder()
const file = join(folder, 'catalogue.sqlite')
build(file, {
  name: 'anime',
  columns: ['synopsis', 'scenes'],
  rows: [
    row(2, { year: 1990, facts: { episodes: 3 }, metadata: { malId: 7 }, texts: ['two', null] }),
    row(4, {
      year: 2000,
      facts: { episodes: null },
      metadata: { malId: null },
      texts: ['four', 'a scene'],
    }),
    row(6, { year: 2010, facts: { episodes: 1 }, metadata: { malId: 9 }, texts: [null, 'six'] }),
  ],
})

function apply(...operations: readonly WriteOperation[]) {
  const catalogue = openCatalogue(file)
  try {
    const records = operations.map((operation, i) => ({ seq: i + 1, at: 'now', operation }))
    const { contents, results } = applyWrites(catalogue, 'anime', records)
    return { rows: [...(contents?.rows ?? [])], results }
  } finally {
    catalogue.close()
  }
}

const dataset = 'anime'
const put = (...entries: readonly WrittenEntry[]): WriteOperation => ({
  kind: 'put',
  dataset,
  entries,
})
const remove = (...ids: readonly number[]): WriteOperation => ({ kind: 'delete', dataset, ids })
const entry = (id: number, more: Partial<WrittenEntry> = {}): WrittenEntry => ({
  id,
  title: `New ${id}`,
  facts: {},
  ...more,
})
const patch = (id: number, changes: object): WriteOperation => ({
  kind: 'patch',
  dataset,
  id,
  changes,
})

describe('writes of a dataset', () => {
  it('add, replace and delete entries, in the order of ids', () => {
    const { rows, results } = apply(put(entry(5), entry(1), entry(2), entry(9)), remove(4, 77))
    expect(rows.map(({ id, title }) => [id, title])).toEqual([
      [1, 'New 1'],
      [2, 'New 2'],
      [5, 'New 5'],
      [6, 'Title 6'],
      [9, 'New 9'],
    ])
    expect(results).toMatchObject([
      { seq: 1, added: 3, updated: 1, deleted: 0, failures: [] },
      { seq: 2, added: 0, deleted: 1, missing: 1, failures: [] },
    ])
  })

  it('replace an entry whole, and change one member by member', () => {
    const { rows } = apply(
      put(entry(2, { texts: { scenes: 'new' } })),
      patch(4, {
        year: 2001,
        metadata: { site: 'x' },
        texts: { scenes: null },
        facts: { episodes: 5 },
      }),
    )
    expect(rows[0]).toMatchObject({ year: null, facts: { episodes: null }, texts: [null, 'new'] })
    expect(rows[1]).toMatchObject({
      title: 'Title 4',
      year: 2001,
      facts: { episodes: 5 },
      metadata: { malId: null, site: 'x' },
      texts: ['four', null],
    })
    expect(rows[2]).toMatchObject({ metadata: { malId: 9, site: null } })
  })

  it('see what earlier ones have done', () => {
    const { rows, results } = apply(
      put(entry(3)),
      patch(3, { year: 5 }),
      remove(3),
      patch(3, { year: 6 }),
    )
    expect(rows.map(({ id }) => id)).toEqual([2, 4, 6])
    expect(results[1]).toMatchObject({ updated: 1, failures: [] })
    expect(results[3]).toMatchObject({
      updated: 0,
      failures: [{ id: 3, reason: 'there is no anime with this id' }],
    })
  })

  it('delete what a filter finds', () => {
    const { rows, results } = apply({ kind: 'delete-matching', dataset, filter: { yearTo: 2000 } })
    expect(rows.map(({ id }) => id)).toEqual([6])
    expect(results).toMatchObject([{ deleted: 2 }])
  })

  it('keep the last entry', () => {
    const { rows, results } = apply(remove(2, 4), remove(6), put(entry(1)), remove(6))
    expect(rows.map(({ id }) => id)).toEqual([1])
    expect(results[1]).toMatchObject({ deleted: 0, failures: [{ id: 6 }] })
    expect(results[3]).toMatchObject({ deleted: 1, failures: [] })
  })

  it('count a text that repeats an earlier column once', () => {
    const { rows } = apply(put(entry(2, { texts: { synopsis: 'same', scenes: 'same' } })))
    expect(rows[0]?.texts).toEqual(['same', null])
  })

  it('begin another batch at a filter that follows writes of its dataset', () => {
    const filter = { kind: 'delete-matching', dataset, filter: { yearTo: 2000 } } as const
    const manga = { ...filter, dataset: 'manga' } as const
    const seqs = (...operations: readonly WriteOperation[]) =>
      firstBatch(operations.map((operation, i) => ({ seq: i + 1, at: '', operation }))).map(
        ({ seq }) => seq,
      )
    expect(seqs(filter, put(entry(1)), manga, filter, remove(3))).toEqual([1, 2, 3])
    expect(seqs(put(entry(1)), manga, remove(2))).toEqual([1, 2, 3])
  })
})
