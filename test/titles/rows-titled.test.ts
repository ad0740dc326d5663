/** Works whose titles have words. */
import { describe, expect, test } from 'vitest'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'

const titles = [
  { row: 0, text: 'Chainsaw Man', kind: 'main' as const },
  { row: 0, text: 'Man with the Chainsaw', kind: 'other' as const },
  { row: 1, text: 'Chainsaw Girl', kind: 'main' as const },
  { row: 2, text: 'How I Was Reborn as a Chainsaw in Another World', kind: 'main' as const },
  { row: 3, text: 'Another', kind: 'main' as const },
  { row: 4, text: 'Shounen', kind: 'main' as const },
]
const index = createTitleIndex(titles)

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
