/** The file of constants, and the list of those that tools/fit-constants measures. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { constants, readConstants } from '#synoptic/base/constants/constants.js'

const shipped = 'data/query/constants.json'
const parsed = JSON.parse(readFileSync(shipped, 'utf8')) as Record<string, Record<string, number>>

it('is what the program reads, once', () => {
  expect(constants()).toEqual(parsed)
  expect(constants()).toBe(constants())
})

test.each([
  ['lacks a number', { ...parsed, reader: {} }],
  ['has one that is not read', { ...parsed, reader: { ...parsed.reader, other: 1 } }],
  ['has a share above 1', { ...parsed, reader: { ...parsed.reader, narrow: 1.1 } }],
  ['lacks a group', { reader: parsed.reader }],
])('a file that %s is refused', (_, content) => {
  const file = join(mkdtempSync(join(tmpdir(), 'constants-')), 'constants.json')
  writeFileSync(file, JSON.stringify(content))
  expect(() => readConstants(file)).toThrow()
})

it('has each of its numbers measured, in a range around it', () => {
  const measured = JSON.parse(readFileSync('tools/fit-constants/constants.json', 'utf8')) as Record<
    string,
    { range: [number, number] }
  >
  const values = Object.entries(parsed).flatMap(([group, members]) =>
    Object.entries(members).map(([name, value]) => [`${group}.${name}`, value] as const),
  )
  expect(Object.keys(measured).sort()).toEqual(values.map(([id]) => id).sort())
  for (const [id, value] of values) {
    const [low = NaN, high = NaN] = measured[id]?.range ?? []
    expect(value, id).toBeGreaterThanOrEqual(low)
    expect(value, id).toBeLessThanOrEqual(high)
  }
})
