import { describe, expect, test } from 'vitest'
import { createTitleIndex } from '#synoptic/titles/title-index.js'

const works = [
  ['Grave of the Fireflies'],
  ['Your Lie in April'],
  ['The Promised Neverland', 'Promised Neverland'],
  ['Moribito - Guardian of the Spirit'],
  ['Mob Psycho 100 II'],
  ['The Boy and the Beast'],
  ['The Boy and the Heron'],
  ['進撃の巨人'],
  ['Spice and Wolf'],
]
const index = createTitleIndex(
  works.flatMap((titles, row) => titles.map((text) => ({ row, text, kind: 'main' as const }))),
)
const rowsOf = (query: string) => index.misremembered(query).map(({ row }) => row)

describe('a title that is remembered wrongly', () => {
  test.each([
    ['grave of the butterflies', [0]],
    ['Grave of the Butterflies', [0]],
    ['your lie in may', [1]],
    ['your truth in april', [1]],
    ['the promised wonderland', [2]],
    ['boy and the monster', [5, 6]],
    ['moribito protector of the ghost', [3]],
    ['進撃の小人', [7]],
  ])('%j is found', (query, rows) => {
    expect(rowsOf(query)).toEqual(rows)
  })

  test.each([
    ['grave of the', 'half typed'],
    ['the butterflies of grave', 'in another order'],
    ['a grave of the butterflies and more', 'with more words'],
    ['grave in the butterflies', 'with another small word, too'],
    ['your lie about april', 'with a telling word for a small one'],
    ['your truth in may', 'of which two of four words are wrong'],
    ['mob psycho 100 iii', 'of another season'],
    ['wolf', 'of one word'],
    ['', 'of none'],
    [`grave of the ${'very '.repeat(12)}butterflies`, 'as long as a sentence'],
  ])('%j, %s, is not', (query) => {
    expect(rowsOf(query)).toEqual([])
  })

  test('tells how many words are right and wrong, and how rare the right ones are', () => {
    const [neverland] = index.misremembered('the promised wonderland')
    expect(neverland).toMatchObject({ title: 'The Promised Neverland', right: 2, wrong: 1 })
    const [article] = index.misremembered('promised wonderland')
    expect(article).toMatchObject({ right: 1, wrong: 1 })
    const [moribito] = index.misremembered('moribito protector of the ghost')
    expect(moribito).toMatchObject({ right: 3, wrong: 2 })
    expect(moribito?.bits).toBeGreaterThan(moribito?.rarest ?? Infinity)
  })
})
