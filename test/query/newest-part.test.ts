/** The newest part of a series. */
import { describe, expect, test } from 'vitest'
import { readNewestPart } from '#synoptic/query/newest-part.js'
import { createPhraseTable } from '#synoptic/query/phrase-table.js'
import { queryWords } from '#synoptic/query/query-words.js'

const isekai = { fact: { kind: 'topic' as const, genres: [], tags: ['isekai'] }, label: '' }
const tables = {
  around: createPhraseTable(
    ['series', 'anime', 'the', 'movie'].map((text): [string, true] => [text, true]),
  ),
  facts: {
    ...createPhraseTable([['isekai', { ...isekai, confidence: 0.9, needsMaker: false }]]),
    plainWords: [],
  },
}
const exact = (text: string) =>
  ['Robots', 'Isekai', 'New Game'].flatMap((title, row) =>
    title.toLowerCase() === text ? [{ row, title, similarity: 1 }] : [],
  )
const match = (text: string) =>
  text === 'the new gaem' ? [{ row: 2, title: 'New Game', similarity: 0.9 }] : exact(text)
const titles = { exact, match, newestOf: (row: number, isFilm = false) => row + (isFilm ? 20 : 10) }
const read = (query: string) => readNewestPart(query, queryWords(query), tables, titles)

describe('the newest part of a series', () => {
  test.each([
    ['the new robots', 10],
    ['newest robots', 10],
    ['latest robots series', 10],
    ['new robots anime', 10],
    ['the new isekai', 11],
    ['robots newest anime', 10],
    ['robots latest', 10],
    ['the newest robots movie', 20],
    ['robots latest movie', 20],
  ])('%s', (query, row) => {
    expect(read(query)).toMatchObject({ kind: 'title', rows: [row], begin: 0, end: query.length })
  })

  test.each([
    ['newest isekai', 'a subject'],
    ['new game', 'a title'],
    ['the new gaem', 'a title with a typo'],
    ['the new kid', 'nothing that is known'],
    ['robots new', 'something else that is new'],
    ['the robots', 'nothing new'],
    ['robots newest kid', 'something else that is new'],
    ['isekai newest', 'a subject'],
    ['newest', 'nothing'],
    ['new', 'nothing'],
    ['newest anime', 'any work'],
  ])('%s is %s', (query) => {
    expect(read(query)).toBeUndefined()
  })

  test('is none where nobody knows which is newer', () => {
    const query = 'the new robots'
    expect(readNewestPart(query, queryWords(query), tables, { exact, match })).toBeUndefined()
  })
})
