/** Titles inside sentences. */
import { describe, expect, test } from 'vitest'
import { indexOf } from './typos.js'

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
    ['like atack on titan', [['titan', 10]]],
  ])('in %s', (query, expected) => {
    expect(spans(query)).toEqual(expected)
  })

  test.each([
    '',
    '?',
    'similar to narutp',
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
      { row: 1, title: 'Twin' },
      { row: 0, title: 'Twin' },
    ])
  })
})
