/** A set of texts against plain passes over the same texts. */
import { textDistance } from '#synoptic/base/text/edit-distance.js'
import { allowedEdits } from '#synoptic/base/text/grams.js'
import { openArrays } from '#synoptic/base/text/sections.js'
import { createTitleTable } from '#synoptic/native/addon/title-table.js'
import { openTextSet, type TextSet } from '#synoptic/base/text/text-set.js'
import { describe, expect, test } from 'vitest'
import { seeded } from '../catalogue/shelf.js'
import { everyTypo } from '../titles/typos.js'

function setOf(texts: readonly string[]): TextSet {
  const table = createTitleTable()
  for (const [row, text] of texts.entries())
    table.add({ row, kind: 0, season: 0, key: 0, text, forms: [text], words: ['word'] })
  return openTextSet(openArrays(table.build(new Uint8Array(Math.min(texts.length, 1)))), 'forms')
}

const random = seeded(3)
const letter = (letters: string) => letters[Math.floor(random() * letters.length)] ?? ''
const wordOf = (letters: string, most: number) =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => letter(letters)).join('')
const texts = [
  ...new Set([
    ...Array.from({ length: 3000 }, () => wordOf('aeioknrst', 24)),
    ...Array.from({ length: 500 }, () => wordOf('進撃巨人鬼滅刃', 5)),
    ...Array.from({ length: 200 }, () => wordOf('ab', 9)),
    'x'.repeat(255),
  ]),
]
const set = setOf(texts)
const found = (numbers: Iterable<number>) => [...numbers].map((number) => set.textOf(number)).sort()

describe('a set of texts', () => {
  test('finds each of its texts, and no other', () => {
    for (const text of texts) {
      const number = set.find(text)
      expect(set.textOf(number)).toBe(text)
      expect(set.lengthOf(number)).toBe(text.length)
    }
    for (const text of ['', 'zzz', 'x'.repeat(254), 'x'.repeat(256), '進撃の巨人', '\ud800']) {
      expect(set.find(text)).toBe(-1)
    }
  })

  test.each(['', 'a', 'ak', 'ako', '進', '進撃', 'zz', 'x'.repeat(255), 'x'.repeat(300)])(
    'finds all that begin with %j',
    (prefix) => {
      const expected = texts.filter((text) => text.startsWith(prefix)).sort()
      expect(found(set.startingWith(prefix))).toEqual(expected)
      expect(set.hasBeginning(prefix)).toBe(expected.length > 0)
    },
  )

  test('finds all texts within the edits that their lengths allow', () => {
    const queries = [...texts.slice(0, 150), ...texts.slice(3000, 3100)].map((text) => {
      const typos = everyTypo(text, letter('aeiok進'))
      return typos[Math.floor(random() * typos.length)] ?? ''
    })
    for (const query of queries.filter((text) => text !== '')) {
      const edits = allowedEdits(query.length)
      const expected = texts
        .filter((text) => {
          const bound = Math.min(edits, allowedEdits(text.length))
          return textDistance(query, text, bound) <= bound
        })
        .sort()
      expect(found(set.near(query, edits).keys()), query).toEqual(expected)
    }
  })

  test('finds each text with any one typo', () => {
    for (const text of texts.filter((_, position) => position % 31 === 0)) {
      for (const typo of everyTypo(text)) {
        if (typo === '') continue
        expect(set.near(typo, 1).has(set.find(text)), `${text}, ${typo}`).toBe(true)
      }
    }
  })

  test('without texts finds nothing', () => {
    const empty = setOf([])
    expect(empty.find('a')).toBe(-1)
    expect(empty.startingWith('')).toHaveLength(0)
    expect(empty.near('abc', 1).size).toBe(0)
    expect(empty.hasBeginning('a')).toBe(false)
  })
})
