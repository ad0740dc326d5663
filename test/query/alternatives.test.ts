/** Wishes that a query joins by `or`: one of them is enough. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import { readLexicon, readTagWords } from '#synoptic/query/lexicon.js'

const none = () => []
const interpret = createInterpreter({
  lexicon: readLexicon('data/query/en.json'),
  tags: readTagWords('data/works/tags.json'),
  names: {
    genres: ['Action', 'Comedy', 'Horror', 'Romance', 'Sports'],
    studios: [],
    people: ['Naoki Urasawa', 'Junji Itou'],
  },
  titles: { exact: none, match: none, mentions: none },
})

/** The labels of each group of alternatives. */
function groups(query: string) {
  const { readings } = interpret(query)
  const begins = [...new Set(readings.map(({ either }) => either))].filter((at) => at !== undefined)
  return begins.map((begin) =>
    readings.filter(({ either }) => either === begin).map(({ label }) => label.toLowerCase()),
  )
}

describe('alternatives', () => {
  it.each([
    ['lawyers or police at work', [['lawyer', 'police']]],
    ['mountaineering or survival outdoors, realistic', [['mountaineering', 'survival']]],
    ['either samurai or ninja', [['samurai', 'ninja']]],
    ['samurai and/or ninja', [['samurai', 'ninja']]],
    ['boxing/yakuza', [['boxing', 'yakuza']]],
    ['romance or at least a love story', [['romance', 'love story']]],
    ['samurai or ninja or pirates', [['samurai', 'ninja', 'pirates']]],
    ['pirates, ninjas or samurai', [['pirates', 'ninja', 'samurai']]],
    ['pirates, ninjas, or samurai', [['pirates', 'ninja', 'samurai']]],
    ['romance, samurai or ninja', [['samurai', 'ninja']]],
    [
      'boxing or yakuza, pirates or ninja',
      [
        ['boxing', 'yakuza'],
        ['pirates', 'ninja'],
      ],
    ],
    ['by naoki urasawa or junji ito', [['naoki urasawa', 'junji itou']]],
    ['in ancient china or japan', [['ancient china', 'ancient japan']]],
  ])('are those of %s', (query, expected) => {
    expect(groups(query)).toEqual(expected)
  })

  it.each([
    'samurai and ninja',
    'samurai, ninja',
    'action/comedy',
    'samurai ninja',
    'no gore or harem',

    'samurai, no gore or harem',
    'samurai or whatever, ninja',
    'ninja or a film',
    'japan or china',
    'sad romance or happy romance',
  ])('are none of %s', (query) => {
    expect(groups(query)).toEqual([])
  })
})
