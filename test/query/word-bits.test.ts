/** How rare a word is, by which the reader sees whether it is more likely a name. */
import { bitsOfWord } from '#synoptic/search/reader/candidates.js'
import { expect, test } from 'vitest'

test('a word of few works is rarer than one of many, by a bit for each half', () => {
  const [common, rarer] = [bitsOfWord(8191, 60_000), bitsOfWord(4095, 60_000)]
  expect(rarer - common).toBeCloseTo(1, 10)
  expect(bitsOfWord(60_000, 60_000)).toBeLessThan(0.2)
})

test('a word that no work has is rare, also in a catalogue of five works or none', () => {
  for (const rows of [0, 5, 60_000]) expect(bitsOfWord(0, rows)).toBeGreaterThan(11)
})

test('a word that all of five works have is not common for that', () => {
  expect(bitsOfWord(5, 5)).toBeGreaterThan(9)
})
