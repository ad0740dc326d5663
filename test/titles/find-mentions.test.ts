/** Titles inside sentences. */
import { createTitleIndex } from '#synoptic/titles/title-index.js'
import { describe, expect, test } from 'vitest'
import { indexOf, titlesOf } from './typos.js'

const rows = [
  ['Shingeki no Kyojin', ['english', 'Attack on Titan'], ['native', '進撃の巨人']],
  ['Shingeki no Kyojin Season 2', ['english', 'Attack on Titan Season 2']],
  ['Monster'],
  ['Another'],
  ['Air'],
  ['School Days'],
  ['Naruto'],
  ['K-On!'],
  ['Fullmetal Alchemist'],
  ['Fullmetal Alchemist: Brotherhood'],
  ['Titan', ['other', 'Dears']],
] as const
const index = indexOf(...rows)
const spans = (query: string) =>
  index.mentions(query).map(({ begin, end, titles }) => [query.slice(begin, end), titles[0]?.row])

describe('a mention', () => {
  test.each([
    ['anime like Attack on Titan', [['Attack on Titan', 0]]],
    ['something like NARUTO, but darker', [['NARUTO', 6]]],
    ['like 進撃の巨人 please', [['進撃の巨人', 0]]],
    ['attack on titan season 2 but shorter', [['attack on titan season 2', 1]]],
    ['attack on titan season 7 but shorter', [['attack on titan', 0]]],
    ['shows like K-On! with music', [['K-On', 7]]],
    ['fullmetal alchemist brotherhood', [['fullmetal alchemist brotherhood', 9]]],
    [
      'full metal alchemist vs naruto',
      [
        ['full metal alchemist', 8],
        ['naruto', 6],
      ],
    ],
    [
      'Ｎａｒｕｔｏ？ — or Ａｉｒ',
      [
        ['Ｎａｒｕｔｏ', 6],
        ['Ａｉｒ', 4],
      ],
    ],
    ['singeki no kyozin', [['singeki no kyozin', 0]]],
  ])('in %s', (query, expected) => {
    expect(spans(query)).toEqual(expected)
    for (const { typos } of index.mentions(query)) expect(typos).toBe(0)
  })

  test.each([
    ['like atack on titan but with girls', 'atack on titan', 0],
    ['similar to narutp', 'narutp', 6],
    ['like montser', 'montser', 2],
    ['like fullmetal alchemist broterhood', 'fullmetal alchemist broterhood', 9],
  ])('may have one typo: %s', (query, span, row) => {
    expect(spans(query)).toEqual([[span, row]])
    expect(index.mentions(query)[0]?.typos).toBe(1)
  })

  test.each([
    '',
    '?',
    'a sad story that makes me cry',
    'narupp',
    'ari',
    'aior',
    'monsterous appetite',
    'the titanic',
    '😀\ud800\u202e',
  ])('is not in %j', (query) => {
    expect(spans(query)).toEqual([])
  })

  test('is whole words, the longest first, and none overlap', () => {
    const query = 'attack on titan season 2 attack on titan naruto air'
    expect(spans(query).map(([span]) => span)).toEqual([
      'attack on titan season 2',
      'attack on titan',
      'naruto',
      'air',
    ])
  })

  test('has each row once, the main title first', () => {
    const twins = indexOf(['B', ['other', 'Twin']], ['Twin', ['english', 'TWIN!']])
    expect(twins.mentions('like twin')[0]?.titles).toEqual([
      { row: 1, title: 'Twin', kind: 'main' },
      { row: 0, title: 'Twin', kind: 'other' },
    ])
  })
})

describe('rarity', () => {
  const prose = Array.from(
    { length: 400 },
    (_, text) =>
      `Another story in the air${text % 3 === 0 ? ', at a school' : ''}${text % 4 === 0 ? ', some days' : ''}` +
      `${text % 20 === 0 ? ', a monster' : ''}${text === 7 ? ' Naruto' : ''}`,
  )
  const withProse = createTitleIndex(titlesOf(...rows), { texts: prose })
  const rarity = (query: string) => withProse.mentions(query)[0]?.rarity ?? Number.NaN

  test('is low for words of everyday prose and high for names', () => {
    expect(rarity('another')).toBeLessThan(0.05)
    expect(rarity('air')).toBeLessThan(0.05)
    expect(rarity('monster')).toBeLessThan(0.5)
    expect(rarity('school days')).toBeLessThan(0.5)
    expect(rarity('naruto')).toBeGreaterThan(0.6)
    expect(rarity('attack on titan')).toBe(1)
  })

  test('adds up over words', () => {
    expect(rarity('school days')).toBeGreaterThan(rarity('another'))
  })

  test('of a typo is at most that of the title', () => {
    expect(rarity('narutp')).toBeCloseTo(rarity('naruto'))
    expect(rarity('montser')).toBeCloseTo(rarity('monster'))
  })

  test('is between 0 and 1, with prose and without', () => {
    for (const one of [index, withProse]) {
      for (const { rarity: found } of one.mentions('attack on titan naruto air another k-on')) {
        expect(found).toBeGreaterThanOrEqual(0)
        expect(found).toBeLessThanOrEqual(1)
      }
    }
  })
})
