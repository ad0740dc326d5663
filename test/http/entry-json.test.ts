import { describe, expect, it } from 'vitest'
import type { Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import { createEntryJson } from '#synoptic/server/http/entry-json.js'
import { ArrayCatalogue } from '../search/array-catalogue.js'
import { createWorld } from '../search/world.js'

/** A catalogue that counts how often it is read. */
function counting() {
  const { content } = createWorld()
  const catalogue: Catalogue & { reads: number } = Object.assign(new ArrayCatalogue(content), {
    reads: 0,
    entry(dataset: 'anime' | 'manga', row: number) {
      this.reads += 1
      return ArrayCatalogue.prototype.entry.call(catalogue, dataset, row)
    },
  })
  const [dataset] = catalogue.datasets()
  if (dataset === undefined) throw new Error('no dataset')
  return { catalogue, dataset, work: (row: number) => content.anime.works[row] }
}

const parse = (members: Uint8Array) =>
  JSON.parse(`{${new TextDecoder().decode(members)}}`) as Record<string, unknown>

describe('the bytes of an entry', () => {
  it('say what the catalogue says, and are made once', () => {
    const { catalogue, dataset, work } = counting()
    const entries = createEntryJson(catalogue)
    const members = entries.entryJsonFragment(dataset, 3, 0)
    const { texts, metadata, facts, ...entry } = work(3) ?? { texts: [], metadata: {}, facts: {} }
    expect(parse(members)).toEqual({
      column: 'synopsis',
      synopsis: texts[0],
      ...entry,
      ...facts,
      ...metadata,
    })
    expect(entries.entryJsonFragment(dataset, 3, 0)).toBe(members)
    expect(catalogue.reads).toBe(1)
  })

  it('differ by column, by row and by dataset', () => {
    const { catalogue } = counting()
    const [anime, manga] = catalogue.datasets()
    if (anime === undefined || manga === undefined) throw new Error('two datasets')
    const entries = createEntryJson(catalogue)
    const all = [
      entries.entryJsonFragment(anime, 1, 0),
      entries.entryJsonFragment(anime, 1, 1),
      entries.entryJsonFragment(anime, 11, 0),
      entries.entryJsonFragment(manga, 1, 0),
    ]
    expect(new Set(all.map((members) => JSON.stringify(parse(members)))).size).toBe(4)
  })

  it('are let go of once others have filled the budget', () => {
    const { catalogue, dataset } = counting()
    const size = createEntryJson(catalogue).entryJsonFragment(dataset, 0, 0).length
    catalogue.reads = 0
    const entries = createEntryJson(catalogue, size * 20)
    entries.entryJsonFragment(dataset, 0, 0)
    for (let row = 1; row < 8; row++) entries.entryJsonFragment(dataset, row, 0)
    entries.entryJsonFragment(dataset, 0, 0)
    expect(catalogue.reads).toBe(8)
    for (let row = 1; row < 57; row++) entries.entryJsonFragment(dataset, row, 0)
    const before = catalogue.reads
    entries.entryJsonFragment(dataset, 0, 0)
    expect(catalogue.reads).toBe(before + 1)
  })

  it('keep what is requested often', () => {
    const { catalogue, dataset } = counting()
    const size = createEntryJson(catalogue).entryJsonFragment(dataset, 0, 0).length
    const entries = createEntryJson(catalogue, size * 20)
    catalogue.reads = 0
    for (let row = 0; row < 57; row++) {
      entries.entryJsonFragment(dataset, 0, 0)
      entries.entryJsonFragment(dataset, row, 0)
    }
    expect(catalogue.reads).toBe(57)
  })
})
