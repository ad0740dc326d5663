import { describe, expect, it } from 'vitest'
import { wordsOf } from '#synoptic/base/text/words.js'

const sentences = (text: string) =>
  wordsOf(text)
    .filter(({ endsSentence }) => endsSentence)
    .map(({ folded }) => folded)

describe('words', () => {
  it.each([
    ['I loved it. What next?', ['it', 'next']],
    ['like Takt Op. Destiny', ['destiny']],
    ['Dr. Stone is great', ['great']],
    ['one line\nanother', ['line', 'another']],
    ['J.C.Staff', ['staff']],
  ])('of %j end sentences where they do', (text, expected) => {
    expect(sentences(text)).toEqual(expected)
  })

  it('end clauses at commas and brackets', () => {
    const words = wordsOf('dark, funny (short) anime')
    expect(words.filter(({ endsClause }) => endsClause).map(({ folded }) => folded)).toEqual([
      'dark',
      'funny',
      'short',
      'anime',
    ])
  })

  it('have their places in the text, and stems without plural endings', () => {
    const text = 'Two witches'
    const words = wordsOf(text)
    expect(words.map(({ begin, end }) => text.slice(begin, end))).toEqual(['Two', 'witches'])
    expect(words.map(({ stem }) => stem)).toEqual(['two', 'witch'])
    expect(words[0]?.isCapital).toBe(true)
  })

  it.each([
    ['robots "  \n  rule', ['robots', 'rule']],
    ['robots ) x', ['x']],
    ['robots *  \n', ['robots']],
    ['robots …" rule', ['robots', 'rule']],
  ])('of %j end sentences at quotes and brackets', (text, expected) => {
    expect(sentences(text)).toEqual(expected)
  })

  // Squared, these would take minutes.
  it.each([' ', '\u00a0', '"', ')', '.', '?"'])('take linear time of many %j', (mark) => {
    const text = `robots${mark.repeat(300_000)}rule`
    expect(wordsOf(text).map(({ folded }) => folded)).toEqual(['robots', 'rule'])
  })
})
