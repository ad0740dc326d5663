/** Where a manga ran, in the words of queries: what is read, and what must not be. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import type { TitleLookup } from '#synoptic/query/interpretation.js'
import { readLexicon, readTagWords } from '#synoptic/query/lexicon.js'

const nothing: TitleLookup = { exact: () => [], match: () => [], mentions: () => [] }
const magazines = [
  'Weekly Shounen Jump',
  'Shounen Jump+',
  'Afternoon',
  'Hana to Yume',
  'Big Comic Spirits',
  'Morning',
  'Margaret',
  'Nakayoshi',
  'Young Magazine (Weekly)',
  'Kiss',
  'Flowers',
  'Dragon Age',
  'Naver Webtoon',
  'Dessert',
  'Paper Moon Comics',
  'Monthly Shounen Magazine',
]
const interpreter = (names: readonly string[]) =>
  createInterpreter({
    lexicon: readLexicon('data/query/en.json'),
    tags: readTagWords('data/works/tags.json'),
    names: { genres: ['Romance', 'Sports', 'Sci-Fi'], studios: [], people: [], magazines: names },
    titles: nothing,
  })
const interpret = interpreter(magazines)
const magazinesOf = (query: string) =>
  interpret(query).readings.flatMap((reading) =>
    reading.kind === 'magazine' ? [(reading.excluded ? 'not ' : '') + reading.value] : [],
  )

describe('where a manga ran', () => {
  it.each([
    ['shonen jump manga about sports', 'Weekly Shounen Jump'],
    ['weekly shonen jump', 'Weekly Shounen Jump'],
    ['Sh\u014dnen Jump', 'Weekly Shounen Jump'],
    ['jump manga', 'Weekly Shounen Jump'],
    ['something from jump with pirates', 'Weekly Shounen Jump'],
    ['shonen jump+ horror', 'Shounen Jump+'],
    ['jump plus', 'Shounen Jump+'],
    ['serialized in Afternoon', 'Afternoon'],
    ['monthly afternoon', 'Afternoon'],
    ['hana to yume romance', 'Hana to Yume'],
    ['big comic spirits', 'Big Comic Spirits'],
    ['morning seinen', 'Morning'],
    ['from margaret', 'Margaret'],
    ['nakayoshi magical girl', 'Nakayoshi'],
    ['weekly young magazine', 'Young Magazine (Weekly)'],
    ['young magazine action', 'Young Magazine (Weekly)'],
    ['monthly shonen magazine romance', 'Monthly Shounen Magazine'],
    ['manga in kiss', 'Kiss'],
    ['kiss magazine', 'Kiss'],
    ['from flowers', 'Flowers'],
    ['published in dragon age', 'Dragon Age'],
    ['webtoon on naver', 'Naver Webtoon'],
    ['manga published in dessert', 'Dessert'],
    ['paper moon comics romance', 'Paper Moon Comics'],
    ['sports not from jump', 'not Weekly Shounen Jump'],
    ['not shonen jump', 'not Weekly Shounen Jump'],
    ['romance not serialized in kiss', 'not Kiss'],
  ])('%s: %s', (query, magazine) => {
    expect(magazinesOf(query)).toEqual([magazine])
  })

  it('is told in a story, too', () => {
    const story = 'a boy who finds a notebook and kills whoever is written in it'
    expect(magazinesOf(`a manga that ran in jump about ${story}`)).toEqual(['Weekly Shounen Jump'])
    expect(magazinesOf(`${story}, ran in morning light`)).toEqual([])
  })

  it.each([
    'kiss manga',
    'first kiss romance',
    'dessert manga',
    'romance in flowers',
    'dragon age',
    'a quiet afternoon',
    'princess margaret',
    'from morning to night',
    'good morning',
    'ski jump manga',
    'jumps through time',
    'a girl waits every morning',
    'no jump scares',
    'young and magazines',
    'naver say never',
    'he runs in the morning',
    'shounen romance',
  ])('%s: none', (query) => {
    expect(magazinesOf(query)).toEqual([])
  })

  it('may be others of the same short name, which are meant less', () => {
    const [kin] = interpret('shonen jump').readings
    expect(kin).toMatchObject({ value: 'Weekly Shounen Jump', kin: ['Shounen Jump+'] })
    const [whole] = interpret('weekly shonen jump').readings
    expect(whole).not.toHaveProperty('kin')
  })

  it('is no part of what is described, but an everyday word before manga', () => {
    expect(interpret('pirates serialized in shonen jump').text).toBe('pirates')
    expect(interpret('morning manga with pirates').text).toContain('morning')
  })

  it('is an audience in a catalogue without magazines', () => {
    const [reading] = interpreter([])('shonen jump sports').readings
    expect(reading).toMatchObject({ kind: 'audience', value: 'shounen' })
  })
})
