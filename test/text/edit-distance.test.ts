/** Edits against fastest-levenshtein, which knows no swaps, and against the plain recurrence with them. */
import { editDistance, textDistance } from '#synoptic/base/text/edit-distance.js'
import { distance as levenshtein } from 'fastest-levenshtein'
import { describe, expect, test } from 'vitest'
import { seeded } from '../catalogue/shelf.js'

/** Optimal string alignment, the whole table. */
function plain(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : row)),
  )
  const at = (row: number, column: number) => table[row]?.[column] ?? Infinity
  for (let row = 1; row <= one.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = at(row - 1, column - 1) + Number(one[row - 1] !== other[column - 1])
      let least = Math.min(replaced, at(row - 1, column) + 1, at(row, column - 1) + 1)
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isSwap) least = Math.min(least, at(row - 2, column - 2) + 1)
      const line = table[row]
      if (line !== undefined) line[column] = least
    }
  }
  return at(one.length, other.length)
}

describe('edits', () => {
  test('are those of the plain recurrence, and never more than without swaps', () => {
    const random = seeded(5)
    const word = () =>
      Array.from({ length: Math.floor(random() * 12) }, () => 'abc'[Math.floor(random() * 3)]).join(
        '',
      )
    for (let round = 0; round < 3000; round += 1) {
      const [one, other] = [word(), word()]
      const expected = plain(one, other)
      expect(expected).toBeLessThanOrEqual(levenshtein(one, other))
      for (const max of [0, 1, 2, 3, 12]) {
        expect(textDistance(one, other, max)).toBe(Math.min(expected, max + 1))
      }
    }
  })

  test.each([
    ['naruto', 'naruto', 0],
    ['naruto', 'nartuo', 1],
    ['naruto', 'narto', 1],
    ['naruto', 'naruuto', 1],
    ['', 'a', 1],
    ['', '', 0],
    ['進撃', '進繋', 1],
  ])('of %j and %j are %d', (one, other, expected) => {
    expect(textDistance(one, other, 3)).toBe(expected)
  })

  test('beyond the bound are the bound and one', () => {
    expect(textDistance('abcdef', 'uvwxyz', 2)).toBe(3)
    expect(textDistance('a', 'abcdefgh', 2)).toBe(3)
    expect(editDistance(Uint16Array.of(1, 2), 2, Uint16Array.of(3, 4), 2, 0)).toBe(1)
  })
})
