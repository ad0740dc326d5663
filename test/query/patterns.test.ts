/** Facts with numbers, by the patterns of the lexicon. */
import { describe, expect, it } from 'vitest'
import { readLexicon } from '#synoptic/search/reader/lexicon.js'
import { createPatterns } from '#synoptic/search/reader/patterns.js'
import { wordsOf } from '#synoptic/base/text/words.js'

const at = createPatterns(readLexicon('data/query/en.json').patterns)
/** The longest hit of a kind anywhere in a text. */
function factOf(text: string, kind: string) {
  const words = wordsOf(text)
  const hits = words.flatMap((_, from) =>
    at(text, words, from).map(({ to, sense }) => ({ words: to - from, fact: sense.fact })),
  )
  return hits
    .filter(({ fact }) => fact.kind === kind)
    .sort((one, other) => other.words - one.words)[0]?.fact
}

describe('a length', () => {
  it.each([
    ['12 episodes', { unit: 'episodes', min: 11, max: 13 }],
    ['12eps', { unit: 'episodes', min: 11, max: 13 }],
    ['under 12 episodes', { unit: 'episodes', max: 12 }],
    ['12 episodes or less', { unit: 'episodes', max: 12 }],
    ['at least 100 episodes', { unit: 'episodes', min: 100 }],
    ['100+ episodes', { unit: 'episodes', min: 100 }],
    ['10-20 episodes', { unit: 'episodes', min: 10, max: 20 }],
    ['between ten and twenty episodes', { unit: 'episodes', min: 10, max: 20 }],
    ['two dozen episodes', { unit: 'episodes', min: 23, max: 25 }],
    ['1,000 chapters or more', { unit: 'chapters', min: 1000 }],
    ['under two hours', { unit: 'minutes', max: 120 }],
    ['an hour and a half', { unit: 'episodeMinutes', min: 72, max: 108 }],
    ['5 minute episodes', { unit: 'episodeMinutes', isOfSeries: true, min: 3, max: 7 }],
    ['half an hour', { unit: 'episodeMinutes', min: 24, max: 36 }],
  ])('%s', (text, expected) => {
    expect(factOf(text, 'length')).toEqual({ kind: 'length', ...expected })
  })

  it.each(['one episode', 'a volume', 'episodes', 'no number', '0 episodes'])('not %s', (text) => {
    expect(factOf(text, 'length')).toBeUndefined()
  })
})

describe('years', () => {
  it.each([
    ['2010', { from: 2010, to: 2010 }],
    ['the 90s', { from: 1990, to: 1999 }],
    ['early 2000s', { from: 2000, to: 2004 }],
    ['eighties', { from: 1980, to: 1989 }],
    ['before 2005', { to: 2004 }],
    ['after the 90s', { from: 2000 }],
    ['since 2015', { from: 2015 }],
    ['2018 or later', { from: 2018 }],
    ['2010 and before', { to: 2010 }],
    ['from 2001 to 2005', { from: 2001, to: 2005 }],
    ['spring 2023', { from: 2023, to: 2023 }],
  ])('%s', (text, expected) => {
    expect(factOf(text, 'years')).toEqual({ kind: 'years', ...expected })
  })

  it.each(['12 monkeys', '300', '90210', 'years'])('not %s', (text) => {
    expect(factOf(text, 'years')).toBeUndefined()
  })
})

it('reads the age of a child, and not that of others', () => {
  expect(factOf('for my 8 year old', 'audience')).toEqual({ kind: 'audience', value: 'kids' })
  expect(factOf('for my 30 year old', 'audience')).toBeUndefined()
})

it('takes a pattern that is added', () => {
  const own = createPatterns([{ pattern: '(finished by|done by) <year>', means: 'years until' }])
  const text = 'done by 2010'
  expect(own(text, wordsOf(text), 0)).toMatchObject([
    { to: 3, sense: { fact: { kind: 'years', to: 2010 } } },
  ])
})
