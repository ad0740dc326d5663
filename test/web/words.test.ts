/** What people read: marked texts, labels, and the command for a terminal. */
import { describe, expect, it } from 'vitest'
import { familyOf } from '../../web/lib/families.js'
import { highlight } from '../../web/lib/highlight.js'
import {
  countLabel,
  factsOf,
  isJapanese,
  readingLabel,
  relevanceLabel,
  textsOf,
  typeLabel,
} from '../../web/lib/words.js'

const marked = (text: string, spans: readonly (readonly [number, number])[]) =>
  highlight(text, spans)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('')

describe('highlight', () => {
  it.each([
    ['some words', [[5, 10]], 'some [words]'],
    ['some words', [[0, 10]], '[some words]'],
    [
      'some words',
      [
        [5, 10],
        [0, 4],
      ],
      '[some] [words]',
    ],
    [
      'overlap',
      [
        [0, 4],
        [2, 6],
      ],
      '[over][la]p',
    ],
    [
      'inside',
      [
        [0, 6],
        [2, 3],
      ],
      '[inside]',
    ],
    [
      'beyond',
      [
        [3, 99],
        [50, 60],
      ],
      'bey[ond]',
    ],
    ['none', [], 'none'],
    [
      'no span',
      [
        [3, 3],
        [4, 2],
        [Number.NaN, 2],
      ],
      'no span',
    ],
    ['', [[0, 1]], ''],
    ['😀 face', [[0, 2]], '[😀] face'],
  ] as const)('%s with %j', (text, spans, expected) => {
    expect(marked(text, spans)).toBe(expected)
  })
})

describe('familyOf', () => {
  const tag = (family: string | null, weight: number) => ({ tag: 'x', name: 'x', family, weight })

  it('prefers what few works have over common themes', () => {
    expect(familyOf([tag('theme', 3), tag('look', 3)])).toBe('look')
    expect(familyOf([tag('theme', 3), tag('theme', 3), tag('tone', 1)])).toBe('theme')
  })

  it('falls back on something that stays the same', () => {
    expect(familyOf([], 3)).toBe(familyOf([tag(null, 3), tag('constructor', 3)], 3))
    expect(familyOf(undefined, 11)).toBe(familyOf([], 3))
  })
})

describe('labels', () => {
  it('name types, counts and facts', () => {
    expect([typeLabel('tv'), typeLabel('light_novel')]).toEqual(['TV', 'Light novel'])
    expect([countLabel(1, 'episode'), countLabel(1200, 'episode')]).toEqual([
      '1 episode',
      '1,200 episodes',
    ])
    const facts = { type: 'tv', year: 2006, episodes: 37, studios: ['A', 'B', 'C'] }
    expect(factsOf(facts)).toEqual(['TV', '2006', '37 episodes', 'A, B'])
    const film = { type: 'movie', year: 1997, episodes: 1, minutes: 133 }
    expect(factsOf(film)).toEqual(['Movie', '1997', '133 minutes'])
    expect(factsOf({ ...film, minutes: null })).toEqual(['Movie', '1997', '1 episode'])
    expect(factsOf({ ...facts, minutes: 23 })).toEqual(['TV', '2006', '37 episodes', 'A, B'])
    expect(factsOf({ type: null, year: null, studios: [], authors: ['X'] })).toEqual(['X'])
    expect(factsOf({})).toEqual([])
  })

  it('say what a reading is', () => {
    const reading = { begin: 0, end: 1, confidence: 1 }
    const label = (kind: string, label: string, excluded = false) =>
      readingLabel({ ...reading, kind, label, excluded })
    expect(label('like', 'Mushishi')).toBe('like Mushishi')
    expect(label('topic', 'harem', true)).toBe('not harem')
    expect(label('studio', 'Bones')).toBe('by Bones')
    expect(label('toString', 'x')).toBe('x')
  })

  it('say what a score means', () => {
    expect(relevanceLabel(0.93)).toBe('93 of 100: very likely what you mean')
    expect(relevanceLabel(0)).toBe('0 of 100: a loose match')
  })

  it('know Japanese from other letters', () => {
    expect(['蟲師', 'ナルト', 'のだめ', '나루토'].every(isJapanese)).toBe(true)
    expect(['Naruto', '', 'Ünlü 7', 'ﷺ'].some(isJapanese)).toBe(false)
  })

  it('take only texts of metadata that may be anything', () => {
    const entry = { x: [1, 'a', '', null], y: 'b', z: {} } as unknown as Parameters<
      typeof textsOf
    >[0]
    expect([
      textsOf(entry, 'x'),
      textsOf(entry, 'y'),
      textsOf(entry, 'z'),
      textsOf(entry, 'q'),
    ]).toEqual([['a'], ['b'], [], []])
  })
})
