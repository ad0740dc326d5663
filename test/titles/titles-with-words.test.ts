/** Works that a rare word of prose names, or two words together. */
import { describe, expect, test } from 'vitest'
import { createTitleIndex } from '#synoptic/titles/title-index.js'

const titles = [
  { row: 0, text: 'Chainsaw Man', kind: 'main' as const },
  { row: 0, text: 'Man with the Chainsaw', kind: 'other' as const },
  { row: 1, text: 'Chainsaw Girl', kind: 'main' as const },
  { row: 2, text: 'How I Was Reborn as a Chainsaw in Another World', kind: 'main' as const },
  { row: 3, text: 'Another', kind: 'main' as const },
  { row: 4, text: 'Shounen', kind: 'main' as const },
]
const texts = Array.from({ length: 1000 }, (_, at) => `another boy finds sword number ${at}`)
const index = createTitleIndex(titles, { texts })
const rows = (word: string, popularity?: readonly number[]) =>
  index.withWords([word], popularity).map(({ row }) => row)

describe('withWords', () => {
  test('finds titles of which a rare word is much, one of each row', () => {
    expect(rows('chainsaw')).toEqual([0, 1])
    expect(index.withWords(['chainsaw'])[0]).toMatchObject({ title: 'Chainsaw Man' })
    expect(index.withWords(['chainsaw'])[0]?.share).toBeCloseTo(8 / 11)
  })

  test('has the best known first, and what nobody knows last', () => {
    expect(rows('chainsaw', [1, 2, 9, 0, 0])).toEqual([1, 0])
    expect(rows('chainsaw', [NaN, 2, 9, 0, 0])).toEqual([1, 0])
  })

  test('knows the spellings of Japanese', () => {
    expect(rows('shonen')).toEqual([4])
  })

  test.each([
    ['a word that many texts have', 'another'],
    ['a word that no title has', 'sword'],
    ['a part of a word', 'chain'],
    ['several words', 'chainsaw man'],
    ['nothing', ''],
  ])('%s names none', (_, word) => {
    expect(rows(word)).toEqual([])
  })
})

describe('titled', () => {
  test.each([
    [['chainsaw'], [0, 1, 2]],
    [['another'], [2, 3]],
    [['chainsaw', 'man'], [0]],
    [['shonen'], [4]],
    [['chainsaw', 'boy'], []],
    [['chain'], []],
    [[], []],
  ])('rows that have %j are %j, however common the words are', (words, found) => {
    expect(index.titled(words)).toEqual(found)
  })
})

describe('withWords of several words', () => {
  const together = createTitleIndex(
    [
      { row: 0, text: "Howl's Moving Castle", kind: 'main' as const },
      { row: 1, text: 'That Time I Got Reincarnated as a Slime', kind: 'main' as const },
      { row: 2, text: 'Another Boy', kind: 'main' as const },
      {
        row: 3,
        text: 'The Castle of a King Who Is Moving to a Far and Foreign Land',
        kind: 'main' as const,
      },
    ],
    { texts },
  )
  const rowsOf = (...words: readonly string[]) => together.withWords(words).map(({ row }) => row)

  test('finds titles that have all of them, in any inflection', () => {
    expect(rowsOf('moving', 'castle')).toEqual([0])
    expect(rowsOf('castles', 'moving')).toEqual([0])
    expect(rowsOf('slime', 'reincarnation')).toEqual([1])
    expect(together.withWords(['moving', 'castle'])[0]?.share).toBeCloseTo(12 / 17)
  })

  test.each([
    ['words of which one is in no title', ['moving', 'palace']],
    ['words of two titles', ['slime', 'castle']],
    ['words that many texts have', ['another', 'boy']],
    ['words that only begin alike', ['moving', 'cast']],
    ['nothing', []],
  ])('%s name none', (_, words) => {
    expect(rowsOf(...words)).toEqual([])
  })
})
