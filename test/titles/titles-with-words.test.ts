/** Works that a rare word of prose names. */
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
