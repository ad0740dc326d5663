/** Names in the index of rows, against the names that plain maps of the same works give. */
import { describe, expect, test } from 'vitest'
import { characterKeys } from '#synoptic/data/catalogue/character-names.js'
import { byBytes } from '#synoptic/base/text/byte-order.js'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import { unknown, work } from '../facts/make-facts.js'
import { namesOf } from './make-names.js'
import { seeded } from './shelf.js'

const random = seeded(5)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const parts = ['Ann', 'Bo', 'Élan', 'Ōno', '木村', '𠮷田', 'ﬁn', 'X', 'Le', 'Levi', 'Levine', 'II']
const nameOf = () =>
  Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(parts)).join(' ')
const works = Array.from({ length: 200 }, () =>
  work({ characters: [...new Set([nameOf(), nameOf(), nameOf()])] }),
)
const rowsOf = new Map<string, number[]>()
for (const [row, { facts }] of works.entries())
  for (const name of facts.characters ?? []) rowsOf.set(name, [...(rowsOf.get(name) ?? []), row])
const names = [...rowsOf.keys()].sort((one, other) =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)),
)
const { characters } = namesOf(works)

describe('characters', () => {
  test('are found by every key, with their rows, in the order of their names', () => {
    const keys = new Map<string, number[]>()
    for (const [number, name] of names.entries())
      for (const key of characterKeys(name)) keys.set(key, [...(keys.get(key) ?? []), number])
    expect(keys.size).toBeGreaterThan(200)
    for (const [key, numbers] of keys) {
      const expected = numbers.map((number) => {
        const name = names[number] ?? ''
        return { name, rows: Uint32Array.from(rowsOf.get(name) ?? []) }
      })
      expect(characters?.named(key.split(' '))).toEqual(expected)
      expect(characters?.begins(key.split(' ')[0] ?? '')).toBe(true)
    }
  })

  test.each(['lev', 'levi ', 'ann bo x y', '', 'zz', '\u{10ffff}', '\ud800'])(
    'not by %j',
    (text) => {
      expect(characters?.named([text])).toEqual([])
      expect(characters?.begins(text)).toBe(false)
    },
  )

  test('are none where no work has any', () => {
    expect(namesOf([unknown]).characters).toBeUndefined()
    expect(namesOf([]).characters).toBeUndefined()
  })
})

describe('first letters', () => {
  const titles = [
    'Fullmetal Alchemist',
    'High School of the Dead',
    'Fun My Arm',
    'No Fame At',
    'A B',
  ]
  const { initials } = namesOf(
    titles.map(() => unknown),
    {
      titles: createTitleIndex(titles.map((text, row) => ({ row, text, kind: 'main' as const }))),
      popularity: Float32Array.of(5, 4, 3, 1, 6),
    },
  )
  test.each([
    ['hsotd', 1],
    ['hsd', 1],
    ['fma', 2],
    // Of a work that few know, of too few letters, and of none.
    ['nfa', undefined],
    ['ab', undefined],
    ['fm', undefined],
    ['', undefined],
    ['FMA', undefined],
  ])('%s', (letters, row) => {
    expect(initials(letters)).toBe(row)
  })
})

test('texts are ordered as their bytes', () => {
  const texts = [
    '',
    'a',
    'ab',
    'b',
    'é',
    'ﬁ',
    '￿',
    '\u{10000}',
    '\u{10ffff}',
    '木',
    'a\u{1f319}',
    'aﬁ',
  ]
  const ordered = texts.toSorted(byBytes)
  expect(ordered).toEqual(
    texts.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  )
})
