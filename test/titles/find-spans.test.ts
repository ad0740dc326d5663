/** Spans of a text that may name titles, overlapping, with how they match. */
import { describe, expect, test } from 'vitest'
import type { SpanWord } from '#synoptic/data/titles/find-spans.js'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import { wordsOf } from '#synoptic/base/text/words.js'

const titles = [
  'Naruto',
  'Naruto Shippuuden',
  'Fullmetal Alchemist',
  'Another',
  'Spice and Wolf',
  'Wolf',
  'Samurai Champloo',
  'Mob Psycho 100',
  'Mob Psycho 100 II',
  'No. 6',
]
/** Prose in which `another` is common, and no name of a title. */
const texts = Array.from({ length: 1000 }, (_, at) => `another boy has a wolf ${at}`)
const index = createTitleIndex(
  titles.map((text, row) => ({ row, text, kind: 'main' as const })),
  { texts },
)
const spansOf = (text: string, names: readonly string[] = []) => {
  const words = wordsOf(text)
  const all = words.map(({ folded, endsSentence }): SpanWord => ({
    folded,
    endsSentence,
    isName: names.includes(folded),
  }))
  return index.spans(all).map(({ from, to, match, titles: found }) => ({
    words: words
      .slice(from, to)
      .map(({ folded }) => folded)
      .join(' '),
    match,
    rows: found.map((title) => index.row(title)),
  }))
}

describe('spans', () => {
  test('are all titles in a text, also one inside another', () => {
    const found = spansOf('i liked spice and wolf and naruto').filter(
      ({ match }) => match === 'exact',
    )
    expect(found.map(({ words }) => words)).toEqual(['spice and wolf', 'wolf', 'naruto'])
  })

  test('take the season that follows a title along', () => {
    expect(spansOf('is mob psycho 100 season 2 good')).toContainEqual({
      words: 'mob psycho 100 season 2',
      match: 'exact',
      rows: [8],
    })
  })

  test('have titles that the words begin, the longer one of a series', () => {
    expect(spansOf('naruto')).toContainEqual({ words: 'naruto', match: 'head', rows: [1] })
  })

  test('have a rare word of a title', () => {
    expect(spansOf('like champloo')).toContainEqual({
      words: 'champloo',
      match: 'part',
      rows: [6],
    })
  })

  test('have no common word of a title', () => {
    expect(spansOf('a wolf').filter(({ match }) => match === 'part')).toEqual([])
  })

  test('have a misspelt title around a name', () => {
    const near = spansOf('like fulmetal alchemist', ['fulmetal', 'alchemist'])
    expect(near).toContainEqual({ words: 'fulmetal alchemist', match: 'near', rows: [2] })
    expect(spansOf('like fulmetal alchemist').filter(({ match }) => match === 'near')).toEqual([])
  })

  test('end with a sentence', () => {
    const words = (text: string) => spansOf(text).map((span) => span.words)
    expect(words('i like spice. and wolf')).not.toContain('spice and wolf')
    expect(words('spice, and wolf')).toContain('spice and wolf')
  })

  test('are none in an empty text', () => {
    expect(spansOf('')).toEqual([])
    expect(createTitleIndex([]).spans([])).toEqual([])
  })
})
