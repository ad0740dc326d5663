/** How many titles one query looks up, however it is written. */
import { describe, expect, it } from 'vitest'
import { boundedTitles } from '#synoptic/query/bounded-titles.js'
import { createInterpreter } from '#synoptic/query/interpret.js'
import type { TitleLookup } from '#synoptic/query/interpretation.js'
import { readLexicon } from '#synoptic/query/lexicon.js'

function counted() {
  const calls = { exact: 0, match: 0 }
  const titles: TitleLookup = {
    exact(text) {
      calls.exact += 1
      return text === 'naruto' ? [{ row: 0, title: 'Naruto', similarity: 1 }] : []
    },
    match() {
      calls.match += 1
      return []
    },
    mentions: () => [],
  }
  return { calls, titles }
}
const interpretWith = (titles: TitleLookup) =>
  createInterpreter({
    lexicon: readLexicon('data/query/en.json'),
    tags: [],
    names: { genres: [], studios: [], people: [], types: [] },
    titles,
  })

describe('titles of one query', () => {
  it.each(['like', 'similar to', 'not like', 'watched', 'vibes'])(
    'are looked up a bounded number of times, however often it says %j of other words',
    (phrase) => {
      const { calls, titles } = counted()
      const words = Array.from({ length: 400 }, (_, at) => `${phrase} qu${at} za${at}`)
      interpretWith(titles)(`recommend ${words.join(' ')}`)
      expect(calls.exact + 20 * calls.match).toBeLessThanOrEqual(2000)
    },
  )

  it('are no more found beyond the bound', () => {
    const { calls, titles } = counted()
    const bounded = boundedTitles(titles)
    for (let at = 0; at < 5000; at += 1) bounded.exact(`title ${at}`)
    expect(calls.exact).toBe(2000)
    expect(bounded.exact('naruto')).toEqual([])
  })

  it('are found in each query anew', () => {
    const { titles } = counted()
    const interpret = interpretWith(titles)
    interpret(`please ${'like '.repeat(398)}`)
    expect(interpret('like naruto').readings).toMatchObject([{ kind: 'like', label: 'Naruto' }])
  })

  it('are looked up once', () => {
    const { calls, titles } = counted()
    const bounded = boundedTitles(titles)
    expect(bounded.exact('naruto')).toEqual(bounded.exact('naruto'))
    expect(calls.exact).toBe(1)
  })
})
