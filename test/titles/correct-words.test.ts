/** Words that no title has, as the words of the titles they misspell. */
import { describe, expect, it } from 'vitest'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'

const titles = [
  'Demon Slayer: Kimetsu no Yaiba',
  'Demon Player',
  'Code Geass: Lelouch of the Rebellion',
  'The Seven Deadly Sins',
  '5 Centimeters per Second',
  'Mob Psycho 100',
]
const index = createTitleIndex(titles.map((text, row) => ({ row, text, kind: 'main' as const })))
const popularity = Float32Array.of(4, 1, 4, 4, 2, 4)
const correct = (text: string, isWord: (word: string) => boolean = () => false) =>
  index.correct(text, isWord, popularity)

describe('a misspelt word', () => {
  it.each([
    ['demon slyer', 'demon slayer'],
    ['Demn Slyer', 'demon slayer'],
    ['code gease', 'code geass'],
    ['mob pyscho', 'mob psycho'],
    ['demon slyer season 2', 'demon slayer season 2'],
    ['7 deadly sins', 'seven deadly sins'],
    ['five centimeters per secnd', '5 centimeters per second'],
  ])('of %s is read as in %s', (typed, right) => {
    expect(correct(typed)).toBe(right)
  })

  it('is one of the best known work', () => {
    expect(correct('demon slaper')).toBe('demon slayer')
  })

  it.each([
    // All words are those of a title.
    'demon slayer',
    // No title has both.
    'mob slyer',
    // Too far from any word.
    'demon sleighs',
    'kitchen',
    'the',
    '',
    // A sentence.
    'a demon slyer who has seven deadly sins and a code',
  ])('%j has no correction', (typed) => {
    expect(correct(typed)).toBeUndefined()
  })

  it('is none where it is a word of its own', () => {
    expect(correct('demon slyer', (word) => word === 'slyer')).toBeUndefined()
    expect(correct('demon slyer', (word) => word === 'demon')).toBe('demon slayer')
  })
})
