/** Works of which several names agree. */
import { describe, expect, test } from 'vitest'
import type { TitleLookup } from '#synoptic/query/interpretation.js'
import { readNamedTogether } from '#synoptic/query/named-together.js'
import { createPhraseTable } from '#synoptic/query/phrase-table.js'
import { queryWords } from '#synoptic/query/query-words.js'

const setOf = (...phrases: string[]) =>
  createPhraseTable(phrases.map((text): [string, true] => [text, true]))
const tables = { filler: setOf('and', 'anime with'), joins: setOf('and', 'or') }
const titles = ['Berserk', 'Naruto', 'Guts and Glory', 'Swords']
const names = new Map([
  ['guts', [0]],
  ['griffith', [3, 0]],
  ['kakashi', [1]],
  ['itachi', [1]],
  ['glory', [3]],
])
const exact = (text: string) =>
  titles.flatMap((title, row) =>
    title.toLowerCase() === text ? [{ row, title, similarity: 1 }] : [],
  )
const lookup: Pick<TitleLookup, 'called' | 'exact' | 'match'> = {
  exact,
  match: (text) => [...exact(text), { row: 1, title: 'Naruto', similarity: 0.86 }],
  called([name = '']) {
    const rows = names.get(name)
    return rows && { length: 1, name, rows, isIn: (row) => rows.includes(row), isTelling: true }
  },
}
const read = (query: string) => readNamedTogether(query, queryWords(query), tables, lookup)

describe('names that agree name a work', () => {
  test.each([
    ['guts and griffith', [0]],
    ['griffith & guts', [0]],
    ['anime with guts and griffith', [0]],
    ['berserk guts', [0]],
    ['guts berserk', [0]],
    ['kakashi naruto itachi', [1]],
  ])('%s', (query, rows) => {
    expect(read(query)).toMatchObject({ kind: 'title', rows, begin: 0, end: query.length })
    expect(read(query)?.confidence).toBeGreaterThan(0.95)
  })
})

describe('no work is named by', () => {
  test.each([
    ['guts and kakashi', 'names of two works'],
    ['guts griffith', 'names that nothing joins'],
    ['guts and griffith fight', 'names of whom something is told'],
    ['guts and guts', 'one name'],
    ['naruto guts', 'a title and a name of another work'],
    ['kakashi ramen', 'a name and words that are hardly a title'],
    ['guts and glory', 'a title'],
    ['guts', 'a word'],
    ['naruto kakashi went to the shop and bought some ramen', 'a story'],
  ])('%s: %s', (query) => {
    expect(read(query)).toBeUndefined()
  })

  test('names that nobody knows', () => {
    const { exact, match } = lookup
    const query = 'guts and griffith'
    expect(readNamedTogether(query, queryWords(query), tables, { exact, match })).toBeUndefined()
  })
})
