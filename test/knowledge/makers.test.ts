/** Whom `by the makers of X` and the like mean, of an anime that is made from a manga. */
import { describe, expect, it } from 'vitest'
import { createDatasetFacts } from '#synoptic/search/facts/dataset-facts.js'
import { withMakers } from '#synoptic/search/knowledge/makers.js'
import {
  originalAuthors,
  originalMagazines,
  originalTypes,
  withAuthors,
  withMagazines,
  withOriginalTypes,
} from '#synoptic/search/knowledge/original-authors.js'
import type { MakersRole, Reading } from '#synoptic/search/reader/interpretation.js'
import { rowFactsOf, work } from '../facts/make-facts.js'

const manga = rowFactsOf([
  work({
    franchise: 'monster',
    relation: 'main',
    authors: ['Naoki Urasawa'],
    magazines: ['Big Comic Original'],
  }),
  work({ franchise: 'pluto', relation: 'main', authors: ['Naoki Urasawa'] }),
  work({ franchise: 'monster', relation: 'side-story', authors: ['Somebody Else'] }),
  work({ franchise: 'novel', relation: 'main', authors: ['Adapting Artist'] }),
  work({ franchise: 'alone', relation: 'main', authors: ['Only One'] }),
  work({ authors: ['No Franchise'] }),
])
const anime = rowFactsOf([
  work({ franchise: 'monster', source: 'manga', studios: ['Madhouse'], directors: ['Kojima'] }),
  work({ franchise: 'pluto', source: 'Manga', studios: ['M2'], directors: ['Kawaguchi'] }),
  work({ franchise: 'novel', source: 'light novel', studios: ['Madhouse'], directors: ['Kojima'] }),
  work({ franchise: 'alone', source: 'manga', studios: ['Madhouse'], directors: ['Kojima'] }),
  work({ source: 'manga' }),
])
const authors = originalAuthors(anime, manga)
const facts = withAuthors(createDatasetFacts(anime), authors)

describe('the authors of what an anime is made from', () => {
  it('are those of the manga that is the main work of its franchise, and of no adaptation', () => {
    expect([...authors].map(([name, rows]) => [name, [...rows]])).toEqual([
      ['Naoki Urasawa', [0, 1]],
      ['Only One', [3]],
    ])
  })

  it('are among its people, behind those who are known to have made it', () => {
    expect(facts.names.people).toEqual(['Kojima', 'Kawaguchi', 'Naoki Urasawa', 'Only One'])
    expect([...(facts.people.get('naoki urasawa') ?? [])]).toEqual([0, 1])
    expect([...(facts.people.get('kojima') ?? [])]).toEqual([0, 2, 3])
  })

  it('are joined to what they made themselves', () => {
    const both = withAuthors(createDatasetFacts(anime), new Map([['KOJIMA', Uint32Array.of(1)]]))
    expect([...(both.people.get('kojima') ?? [])]).toEqual([0, 1, 2, 3])
    expect(both.names.people).toEqual(['Kojima', 'Kawaguchi'])
  })

  it('are those that the catalogue has for the anime, joined by those of its manga', () => {
    const listed = rowFactsOf([
      work({ franchise: 'novel', source: 'light novel', authors: ['Its Writer'] }),
      work({ franchise: 'monster', source: 'manga', authors: ['Naoki Urasawa'] }),
      work({ franchise: 'pluto', source: 'manga', directors: ['Kojima'] }),
    ])
    expect([...originalAuthors(listed, manga)].map(([name, rows]) => [name, [...rows]])).toEqual([
      ['Its Writer', [0]],
      ['Naoki Urasawa', [1, 2]],
    ])
    expect([...originalAuthors(listed, undefined).keys()]).toEqual(['Its Writer', 'Naoki Urasawa'])
  })

  it('ran in a magazine, which the anime then has, too', () => {
    const ran = originalMagazines(anime, manga)
    const { magazines, names } = withMagazines(createDatasetFacts(anime), ran)
    expect(names.magazines).toEqual(['Big Comic Original'])
    expect([...(magazines.get('big comic original') ?? [])]).toEqual([0])
  })

  it('are none where neither is known', () => {
    expect(originalAuthors(anime, undefined)).toEqual(new Map())
    expect(originalAuthors(anime, rowFactsOf([]))).toEqual(new Map())
    const own = createDatasetFacts(anime)
    expect(withAuthors(own, new Map())).toBe(own)
  })
})

describe('makers', () => {
  const requested = (role: MakersRole | undefined, row: number) => {
    const span = { begin: 0, end: 4, label: '', confidence: 0.9, excluded: false }
    const reading: Reading = { ...span, kind: 'makers', rows: [row], ...(role && { role }) }
    return withMakers([reading], facts, authors).map((reading) =>
      reading.kind === 'studio' || reading.kind === 'person' ? reading.value : reading.kind,
    )
  }

  it.each([
    [undefined, 0, ['Madhouse', 'kojima']],
    ['studio', 0, ['madhouse']],
    ['director', 0, ['kojima']],
    ['author', 0, ['naoki urasawa']],
    ['creator', 0, ['naoki urasawa']],
    // Nobody is known to have written it, and who directed it wrote nothing.
    ['creator', 2, ['kojima']],
    ['author', 2, ['like']],
    // Who made nothing else.
    ['author', 3, ['like']],
    ['studio', 1, ['like']],
    // Without any data.
    ['author', 4, ['like']],
  ] as const)('of the role %s of row %i are %j', (role, row, names) => {
    expect(requested(role, row).map((name) => name.toLowerCase())).toEqual(
      names.map((name) => name.toLowerCase()),
    )
  })
})

it('the people of a book are its authors', () => {
  const span = { begin: 0, end: 4, label: '', confidence: 0.9, excluded: false }
  const reading: Reading = { ...span, kind: 'makers', rows: [0], role: 'author' }
  const [requested] = withMakers([reading], createDatasetFacts(manga), new Map())
  expect(requested).toMatchObject({ kind: 'person', value: 'naoki urasawa' })
})

describe('the type of what an anime is made from', () => {
  const books = rowFactsOf([
    work({ franchise: 'tower', relation: 'main', type: 'manhwa' }),
    work({ franchise: 'hunter', relation: 'main', type: 'manga' }),
    work({ franchise: 'hunter', relation: 'spin-off', type: 'manhwa' }),
    work({ franchise: 'own', relation: 'main', type: 'manhwa' }),
  ])
  const adaptations = rowFactsOf([
    work({ franchise: 'tower', source: 'web manga' }),
    work({ franchise: 'hunter', source: 'manga' }),
    work({ franchise: 'own', source: 'original' }),
    work({ franchise: 'tower', source: 'manga' }),
  ])
  const known = createDatasetFacts(adaptations)

  it('is that of the comic that is the main work of its franchise', () => {
    const types = originalTypes(adaptations, books)
    expect([...types].map(([type, rows]) => [type, [...rows]])).toEqual([['manhwa', [0, 3]]])
    const { sources } = withOriginalTypes(known, types)
    expect([...(sources.get('manhwa') ?? [])]).toEqual([0, 3])
    expect([...(sources.get('manga') ?? [])]).toEqual([1, 3])
  })

  it('is unknown where there are no comics', () => {
    expect(withOriginalTypes(known, originalTypes(adaptations, rowFactsOf([])))).toBe(known)
  })
})
