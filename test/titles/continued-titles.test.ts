/** Which works go on from which by their titles. */
import { describe, expect, test } from 'vitest'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import type { TitleKind } from '#synoptic/data/titles/title.js'

type Own = readonly (readonly [string, TitleKind])[]

/** Titles of rows in turn, those of one row in a list; rows of one series, unless others are given. */
const continued = (
  titles: readonly (string | Own)[],
  series: readonly (number | undefined)[] = titles.map(() => 0),
) => {
  const all = titles.flatMap((own, row) => {
    const named: Own = typeof own === 'string' ? [[own, 'main']] : own
    return named.map(([text, kind]) => ({ row, text, kind }))
  })
  const found = createTitleIndex(all).continued((row) => series[row])
  return Object.fromEntries(found)
}

describe('a work continues the one whose title begins its own', () => {
  test.each([
    ['a number', ['Gantz', 'Gantz 2'], { 1: 0 }],
    ['a subtitle', ['Hellsing: The Dawn', 'Hellsing'], { 0: 1 }],
    ['a word in brackets', ['Black Jack (TV)', 'Black Jack'], { 0: 1 }],
    ['other marks and case', ['FULL METAL PANIC? Fumoffu', 'Full Metal Panic!'], { 0: 1 }],
    [
      'the shortest of several',
      ['Aria', 'Aria the Natural', 'Aria the Natural Special'],
      { 1: 0, 2: 0 },
    ],
    ['one that is alone called TV', ['Mushishi (TV)', 'Mushishi Zoku Shou'], { 1: 0 }],
    ['one of another year', ['Dororo (2019)', 'Dororo Special'], { 1: 0 }],
  ])('by %s', (_, titles, expected) => {
    expect(continued(titles)).toEqual(expected)
  })

  test('in English where the main title is another', () => {
    const first = [
      ['Natsume Yuujinchou', 'main'],
      ["Natsume's Book of Friends", 'english'],
    ] as const
    const third = [
      ['Natsume Yuujinchou San', 'native'],
      ["Natsume's Book of Friends Season 3", 'english'],
    ] as const
    expect(continued([first, third])).toEqual({ 1: 0 })
  })
})

describe('no work continues another', () => {
  test.each([
    ['whose title is the same', ['Dororo', 'Dororo']],
    ['whose title begins with a part of a word', ['Mono', 'Monogatari']],
    ['whose title is too short', ['X', 'X: The Movie']],
    ['whose title is longer', ['Gantz 2', 'Gantz 3']],
    ['of other words', ['Trigun', 'Gungrave']],
  ])('%s', (_, titles) => {
    expect(continued(titles)).toEqual({})
  })

  test('by a title that others give it', () => {
    const others: Own = [
      ['Kaibutsu', 'main'],
      ['Monster Girls', 'other'],
    ]
    expect(continued(['Monster', others])).toEqual({})
  })

  test('of another series, or of none', () => {
    const titles = ['Monster', 'Monster Musume']
    expect(continued(titles, [1, 2])).toEqual({})
    expect(continued(titles, [undefined, undefined])).toEqual({})
    expect(continued(titles, [-1, -1])).toEqual({ 1: 0 })
  })
})
