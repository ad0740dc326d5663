/** The works of characters whose names a query has. */
import { describe, expect, test } from 'vitest'
import { readCharacters, titleOrName } from '#synoptic/query/characters.js'
import type { CalledCharacters, CharacterMatch, Reading } from '#synoptic/query/interpretation.js'
import { createPhraseTable } from '#synoptic/query/phrase-table.js'
import { queryWords } from '#synoptic/query/query-words.js'

const filler = createPhraseTable<true>(
  ['the one with', 'anime', 'and', 'with'].map((text) => [text, true]),
)
const known = new Set(['power'])
const bearers = createPhraseTable<true>(['girl', 'one'].map((text) => [text, true]))
const studio = (value: string) => ({
  fact: { kind: 'studio' as const, value },
  label: value,
  confidence: 0.9,
})
const person = (value: string) => ({ kind: 'person' as const, value })
const facts = {
  ...createPhraseTable([
    ['madhouse', { ...studio('Madhouse'), needsMaker: false }],
    ['goku tanaka', { ...studio('Goku Tanaka'), fact: person('Goku Tanaka'), needsMaker: false }],
  ]),
  plainWords: [],
}
const works = new Map([
  ['levi ackerman', 0],
  ['eren', 0],
  ['goku', 1],
  ['power', 2],
  ['with', 3],
  ['tiger', 4],
  ['madhouse', 5],
  ['bones', 6],
])
const characters = (words: readonly string[]): CharacterMatch | undefined => {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const row = words.length < length ? undefined : works.get(name)
    if (row === undefined) continue
    const kind = name === 'tiger' ? 'plain' : length > 1 ? 'full' : 'word'
    return { length, name, rows: [row], kind }
  }
  return undefined
}
const called = (words: readonly string[]): CalledCharacters => ({
  length: 1,
  name: words[0] ?? '',
  rows: [7, 8],
  isIn: () => false,
  isTelling: true,
})
const tables = { facts, filler, known, bearers }
const read = (query: string) =>
  readCharacters(queryWords(query), tables, {
    characters,
    called,
    isWord: (word) => word !== 'zzz',
  })

describe('names that are all of a query', () => {
  test.each([
    ['goku', [1], 0, 4],
    ['the one with goku', [1], 13, 17],
    ['levi ackerman and eren anime', [0], 0, 22],
    ['goku and eren', [1, 0], 0, 13],
    ['tiger', [4], 0, 5],
  ])('%s is as good as a title', (query, rows, begin, end) => {
    const { whole } = read(query)
    expect(whole).toMatchObject({ kind: 'title', rows, begin, end, excluded: false })
    expect(whole?.confidence).toBeGreaterThan(0.9)
  })

  test('are less sure beside a word that is told nowhere than a title with a typo', () => {
    const { whole } = read('zzz goku')
    expect(whole).toMatchObject({ kind: 'title', rows: [1], begin: 4, end: 8, confidence: 0.86 })
  })

  test('are none where they begin a longer name of a maker', () => {
    expect(read('goku tanaka')).toEqual({ whole: undefined, parts: [] })
  })

  test('are surer where one is whole', () => {
    const [full, word] = [read('levi ackerman').whole, read('eren').whole]
    expect(full?.confidence ?? 0).toBeGreaterThan(word?.confidence ?? 1)
  })
})

describe('names beside other words', () => {
  test('are parts, and a whole name is the surest', () => {
    const { whole, parts } = read('levi ackerman hates when goku cleans')
    expect(whole).toBeUndefined()
    expect(parts).toMatchObject([
      { label: 'levi ackerman', rows: [0], begin: 0, end: 13 },
      { label: 'goku', rows: [1], begin: 25, end: 29 },
    ])
    expect(parts[0]?.confidence ?? 0).toBeGreaterThan(parts[1]?.confidence ?? 1)
  })

  test('are nobody where a studio has the name', () => {
    expect(read('anime madhouse')).toEqual({ whole: undefined, parts: [] })
    expect(read('anime bones').whole?.label).toBe('bones')
  })

  test.each(['a boy with power', 'a boy tames a tiger', 'a hero', ''])('%j has none', (query) => {
    expect(read(query)).toEqual({ whole: undefined, parts: [] })
  })
})

test('without a lookup nobody is named', () => {
  expect(readCharacters(queryWords('goku'), tables, {}).parts).toEqual([])
})

describe('who is called so', () => {
  test.each(['a girl called power', 'a girl named power fights'])('%s is surely named', (query) => {
    const { whole, parts } = read(query)
    expect(whole).toBeUndefined()
    expect(parts).toMatchObject([{ label: 'power', rows: [7, 8] }])
    expect(parts[0]?.confidence).toBeGreaterThan(0.9)
  })

  test.each([
    ['an anime called power', 'an anime'],
    ['the one called power', 'one of them'],
    ['a girl calls power', 'who does so'],
    [`a girl called power ${'runs and runs '.repeat(5)}`, 'a long story'],
  ])('%s tells of %s', (query) => {
    expect(read(query).parts.map(({ label }) => label)).not.toContain('power')
  })
})

describe('a maker of that name', () => {
  const person = { fact: { kind: 'person' as const, value: 'Goku' }, label: '', confidence: 0.9 }
  const people = {
    ...createPhraseTable([['goku', { ...person, needsMaker: true }]]),
    plainWords: [],
  }
  test.each([
    [true, 'little known', 0.985, 1],
    [false, 'as well known', 0, 0.985],
  ])('where one outshines the other (%j), who is %s', (isBetter, _, least, most) => {
    const titles = { characters, outshines: () => isBetter }
    const { whole } = readCharacters(queryWords('goku'), { ...tables, facts: people }, titles)
    expect(whole?.confidence).toBeGreaterThan(least)
    expect(whole?.confidence).toBeLessThan(most)
  })
})

describe('a title and a name', () => {
  const reading = (label: string, confidence: number): Reading & { readonly kind: 'title' } => ({
    kind: 'title',
    begin: 0,
    end: 4,
    label,
    confidence,
    excluded: false,
    rows: [0],
  })
  const exact = (text: string) =>
    text === 'jojo' ? [{ row: 0, title: 'JoJo', similarity: 1 }] : []
  const chosen = (query: string, similarity: number) => {
    const match = () => [{ row: 0, title: 'JoJo', similarity }]
    return titleOrName(query, match, reading('Gojo', 0.91), { exact })?.label
  }

  test('that is spelt right is no typo of it', () => {
    expect(chosen('gojo', 0.95)).toBe('Gojo')
  })

  test.each([
    ['jojo', 0.95],
    ['gojo no', 0.95],
    ['gojo', 0.99],
  ])('%s is the title', (query, confidence) => {
    expect(chosen(query, confidence)).toBe('JoJo')
  })
})
