/** Contracts of the reader: spans, ignored parts, time limits and hostile input. How well it reads is measured by tools/reader. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/search/reader/interpret.js'
import type { Lexicon } from '#synoptic/search/reader/lexicon.js'
import { makeReader, readerOptions, titles } from './make-reader.js'

const interpret = makeReader()
const read = (query: string) =>
  interpret(query).readings.map(
    ({ begin, end, kind, excluded }) =>
      `${excluded ? 'not ' : ''}${kind} ${query.slice(begin, end)}`,
  )

describe('a query', () => {
  it.each([
    ['Naruto', ['title Naruto']],
    ['naruto', ['title naruto']],
    ['fulmetal alchemist', ['title fulmetal alchemist']],
    ['anime like Naruto', ['like Naruto']],
    ['anime like Mushishi and Clannad', ['like Mushishi', 'like Clannad']],
    ['romance anime without horror', ['topic romance', 'not topic horror']],
    ['comedy anime from the 90s', ['topic comedy', 'years 90s']],
    ['romance, under 12 episodes', ['topic romance', 'length under 12 episodes']],
  ])('%j has the readings %j', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })

  it('has readings that do not overlap, in its order', () => {
    const query = 'I loved Naruto and Cowboy Bebop, want romance and comedy, no horror please'
    const { readings } = interpret(query)
    expect(readings.length).toBeGreaterThan(3)
    readings.forEach(({ begin, end }, at) => {
      expect(begin).toBeGreaterThanOrEqual(readings[at - 1]?.end ?? 0)
      expect(end).toBeGreaterThan(begin)
      expect(end).toBeLessThanOrEqual(query.length)
    })
  })

  it('keeps what is not read as text', () => {
    const { text, readings } = interpret('a boy repairs clocks in a lighthouse')
    expect(readings.filter(({ kind }) => kind === 'title' || kind === 'like')).toEqual([])
    expect(text).toContain('clocks')
  })

  it('has no text of what it refuses', () => {
    expect(interpret('romance anime without horror').text).not.toContain('horror')
  })

  it('names what is in no catalogue', () => {
    expect(interpret('I want anime like Zorblax Quindle').unknownNames).toEqual(['Zorblax Quindle'])
    expect(interpret('anime like Naruto')).not.toHaveProperty('unknownNames')
  })

  it('has a title never across the end of a sentence', () => {
    expect(read('I want some spice. And wolf girls')).not.toContain('like spice. And wolf')
    expect(read('I want some spice. And wolf girls').join()).not.toContain('. ')
  })
})

describe('data alone', () => {
  const { lexicon, ...options } = readerOptions()
  const readWith = (more: Partial<Lexicon>, query: string) =>
    createInterpreter({ ...options, lexicon: { ...lexicon, ...more } })(query).readings.map(
      ({ kind, label, excluded }) => `${excluded ? 'not ' : ''}${kind} ${label}`,
    )

  it('adds a sense', () => {
    const tags = { ...lexicon.tags, 'tower-climb': ['endless staircase'] }
    expect(readWith({}, 'anime about endless staircase')).not.toContain('topic endless staircase')
    expect(readWith({ tags }, 'anime about endless staircase')).toContain('topic endless staircase')
  })

  it('adds an operator', () => {
    const { classes } = lexicon
    const query = 'romance anime, give a wide berth to horror'
    const more = { ...classes, not: [...classes.not, 'give a wide berth to'] }
    expect(readWith({}, query)).not.toContain('not topic Horror')
    expect(readWith({ classes: more }, query)).toContain('not topic Horror')
  })
})

describe('an ignored part', () => {
  it('is no reading, and stays text', () => {
    const query = 'comedy anime like Naruto'
    const begin = query.indexOf('Naruto')
    const { readings, text } = interpret(query, [{ begin, end: query.length }])
    expect(readings.map(({ kind }) => kind)).not.toContain('like')
    expect(text).toContain('Naruto')
  })

  it('that is the whole query leaves no title', () => {
    expect(interpret('Naruto', [{ begin: 0, end: 6 }]).readings).toEqual([])
  })

  it('touches no other reading', () => {
    const query = 'romance and comedy'
    const { readings } = interpret(query, [{ begin: 0, end: 7 }])
    expect(readings.map(({ label }) => label.toLowerCase())).toEqual(['comedy'])
  })
})

describe('hostile input', () => {
  it.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['marks', '?!… ... ,,, ---'],
    ['a lone surrogate', '\ud800 naruto'],
    ['control characters', '\0\u0001\u202e naruto'],
    ['emoji', '😀😀😀'],
    ['other scripts', 'ナルト みたいな アニメ 進撃の巨人 עברית'],
    ['prototype names', '__proto__ constructor toString hasOwnProperty'],
  ])('%s throws nothing', (_, query) => {
    const { readings, explained } = interpret(query)
    expect(Array.isArray(readings)).toBe(true)
    expect(explained).toBeGreaterThanOrEqual(0)
    expect(explained).toBeLessThanOrEqual(1)
  })

  /** Some hundred times what it takes on a quiet machine: tests share processors. */
  const limitMs = 3000

  it.each([
    ['one word, again and again', 'like '.repeat(400)],
    ['titles', `${titles.join(', ')} `.repeat(20)],
    ['misspelt names', 'Naruuto Clanad Mushisi Bebob '.repeat(70)],
    ['numbers', '12 episodes 90s 2010 to '.repeat(80)],
    ['letters', 'a'.repeat(2000)],
    ['single letters', 'a '.repeat(1000)],
    ['no words', '.'.repeat(2000)],
    ['unclosed brackets', '('.repeat(1000) + 'naruto'],
  ])('%s is read in bounded time', (_, query) => {
    interpret(query.slice(0, 2000))
    const begun = performance.now()
    interpret(query.slice(0, 2000))
    expect(performance.now() - begun).toBeLessThan(limitMs)
  })

  it('reads the same query the same way', () => {
    const query = 'I loved Naruto, hated Clannad, want romance from 2010'
    expect(interpret(query)).toEqual(interpret(query))
  })
})
