/** Whether a text tells how a story goes on. */
import { expect, test } from 'vitest'
import { createContinuationOf } from '#synoptic/query/continuations.js'
import { readLexicon } from '#synoptic/query/lexicon.js'

const { continuations } = readLexicon(new URL('../../data/query/en.json', import.meta.url))
const continuationOf = createContinuationOf(continuations)

test.each([
  ['the second season of the show about volleyball', 1],
  ['The story continues as Akari is back in Neo Venezia', 1],
  ['Half a year has passed since he became her bodyguard', 0.5],
  ['he returns to his village', 0.5],
  ['a boy finds a notebook that kills people', 0],
  ['seasonal fruit', 0],
  ['', 0],
])('%s', (text, expected) => {
  expect(continuationOf(text)).toBe(expected)
})

test('a phrase said twice counts once', () => {
  expect(continuationOf('again and again')).toBe(0.5)
})

test('without phrases nothing is a continuation', () => {
  expect(createContinuationOf([])('the second season continues')).toBe(0)
})
