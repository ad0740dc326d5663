/** What queries say is not done, is little, or belongs to what is excluded: none of it is wished. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import type { TitleLookup } from '#synoptic/query/interpretation.js'
import { readLexicon, readTagWords } from '#synoptic/query/lexicon.js'

const none = () => []
const titles: TitleLookup = { exact: none, match: none, mentions: none }
const options = {
  lexicon: readLexicon('data/query/en.json'),
  tags: readTagWords('data/works/tags.json'),
  names: {
    genres: [
      'Comedy',
      'Drama',
      'Fantasy',
      'Horror',
      'Boys Love',
      'Romance',
      'Slice of Life',
      'Sports',
    ],
    studios: [],
    people: [],
  },
  titles,
}
const interpret = createInterpreter(options)
/** Each topic as one line: `not talk`. */
const read = (query: string) =>
  interpret(query).readings.map(
    ({ kind, label, excluded }) =>
      `${excluded ? 'not ' : ''}${kind === 'words' ? 'words ' : ''}${label.toLowerCase()}`,
  )

describe('what somebody does not do', () => {
  it.each([
    ['tournament where nobody fights', ['tournament', 'not fights']],
    ['slice of life nobody fights in it', ['slice of life', 'not fights']],
    ['romance nobody is sick', ['romance', 'not sick']],
    ['romance where nobody is terminally ill', ['romance', 'not terminally ill']],
    ['fantasy where the animal doesnt talk', ['fantasy', 'animals', 'not talk']],
    ["a fox that doesn't talk", ['fox', 'not talk']],
    ["isekai where he doesn't get a harem", ['isekai', 'not harem']],
    ["samurai where the hero doesn't fight or talk", ['samurai', 'not fights', 'not talk']],
    ['isekai nobody gets a harem', ['isekai', 'not harem']],
    ["isekai where the hero doesn't turn evil", ['isekai', 'not turns evil']],
    ["horror that doesn't rely on a romance", ['horror', 'not romance']],
    ['isekai, everything but romance', ['isekai', 'not romance']],
    ['the exact opposite of isekai', ['not isekai']],
    ['romance except boys love', ['romance', 'not boys love']],
    ['comedy but guys please no harem', ['comedy', 'not harem']],
  ])('is excluded: %s', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })

  it.each([
    ['nobody talks to her', []],
    ['a worker nobody talks to, and homeless people', ['homeless']],
    ['cute couple that doesnt become hot later', ['cute', 'couple']],
    ['a clumsy nobody and a detective', ['detective']],
    ['i dont know its name, isekai', ['isekai']],
    ['comedy with a scruffy nobody on a motorbike', ['comedy', 'motorbike']],
  ])('is not read where more or nothing is told: %s', (query, expected) => {
    expect(read(query).filter((one) => !one.startsWith('not words'))).toEqual(expected)
  })

  it('ends no title that has the word', () => {
    const exact: TitleLookup['exact'] = (text) =>
      text.toLowerCase() === "don't toy with me" ? [{ row: 0, title: text, similarity: 1 }] : []
    const withTitle = createInterpreter({ ...options, titles: { ...titles, exact } })
    expect(withTitle("something like don't toy with me").readings).toMatchObject([
      { kind: 'like', excluded: false },
    ])
  })
})

describe('little of a thing', () => {
  it.each([
    ['low drama romance', ['not drama', 'romance']],
    ['horror little gore', ['horror', 'not gore']],
    ['horror with very little gore', ['horror', 'not gore']],
    ['fantasy barely any romance', ['fantasy', 'not romance']],
    ['slice of life, hardly romance', ['slice of life', 'not romance']],
    ['a girl who bakes bread, where he waits, light on drama', ['not drama']],
    ['fantasy with low magic', ['fantasy', 'not magic']],
  ])('is excluded: %s', (query, expected) => {
    expect(read(query)).toEqual(expect.arrayContaining(expected))
  })

  it.each([
    'horror with a little romance',
    'little witch academy',
    'low stakes',
    'low fantasy',
    'a short haired little fighter and the boy who saves her',
    'the low magic boy at school',
  ])('is none: %s', (query) => {
    expect(read(query).filter((one) => one.startsWith('not'))).toEqual([])
  })
})

describe('what follows `and` behind what is lacking', () => {
  it.each([
    ['romance without screaming and crying', ['not words screaming', 'not crying']],
    ['romance without the talking and the crying', ['not words talking', 'not crying']],
    ['no screaming and yelling', ['not words screaming', 'not words yelling']],
  ])('is excluded, too: %s', (query, expected) => {
    expect(read(query).filter((one) => one.startsWith('not'))).toEqual(expected)
  })

  it.each([
    ['without screaming and funny', ['not words screaming']],
    ['without screaming and good fights', ['not words screaming']],
    ['without screaming and with crying', ['not words screaming']],
    ['not stupid and crying', ['not words stupid']],
  ])('is wished where it begins anew: %s', (query, expected) => {
    expect(read(query).filter((one) => one.startsWith('not'))).toEqual(expected)
  })
})

describe('the rest of a phrase that is excluded', () => {
  it.each([
    ['sports no high school clubs', ['sports', 'not high school']],
    ['fantasy no magic powers', ['fantasy', 'not magic']],
    ['comedy no love triangle drama', ['comedy', 'not love triangle']],
    ['isekai no harem stuff or gore', ['isekai', 'not harem', 'not gore']],
    ['mecha no teens in robots', ['mecha', 'no teens']],
    ['cute boys, no girls or romance', ['cute boys', 'no girls', 'not romance']],
    ['romance no teenagers in school', ['romance', 'no teenagers']],
    ['fantasy but no school romance', ['fantasy', 'not school', 'not romance']],
    ['no teen romance, horror', ['no teens', 'not romance', 'horror']],
    ['no shounen romance please', ['not shounen', 'not romance']],
    ['no office love', ['not office', 'not love']],
    ['a detective whose case is cold, not about school kids', ['detective', 'not school']],
  ])('is not wished: %s', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })

  it.each([
    ['fantasy no harem isekai', ['fantasy', 'not harem', 'isekai']],
    ['isekai no harem, drama', ['isekai', 'not harem', 'drama']],
    ['no romance in space', ['not romance', 'space']],
    ['no school fantasy', ['not school', 'fantasy']],
    ['no school comedy', ['not school', 'comedy']],
    ['workplace romance no school romance', ['workplace', 'romance', 'not school', 'romance']],
    ['no school, romance', ['not school', 'romance']],
    ['no school romance fantasy', ['not school', 'romance', 'fantasy']],
    ['horror no harem romance', ['horror', 'not harem', 'romance']],
    ['romance no teenagers, in school', ['romance', 'no teenagers', 'school']],
    ['no gore school club anime', ['not gore', 'school club']],
    ['magic powers', ['magic', 'powers']],
    ['no gore kids movie', ['not gore', 'kids', 'movie']],
  ])('is wished where it is none of it: %s', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })
})

describe('words that nothing else is read from', () => {
  it('are excluded before what says nothing', () => {
    expect(read('cute animals no humans in it at all')).toContain('not words humans')
    expect(read('cute animals, no humans please')).toContain('not words humans')
    expect(read('a boy has no humans in his town')).not.toContain('not words humans')
  })

  it('are no part of a title where they are everyday words', () => {
    const match: TitleLookup['match'] = (text) =>
      ['humans', 'human characters', 'polkatron'].includes(text)
        ? [{ row: 0, title: `Destroy All ${text}`, similarity: 0.86 }]
        : []
    const withTitle = createInterpreter({ ...options, titles: { ...titles, match } })
    const kinds = (query: string) =>
      withTitle(query).readings.flatMap(({ kind, excluded }) => (excluded ? [kind] : []))
    expect(kinds('animals, no humans')).toEqual(['words'])
    expect(kinds('animals only, no human characters')).toEqual(['words'])
    expect(kinds('animals, no polkatron')).toEqual(['title'])
  })

  it('are tags where people mean these', () => {
    expect(read('horror not gorey')).toEqual(['horror', 'not gorey'])
    expect(read('zombies but no blood and guts')).toEqual(['zombies', 'not blood and guts'])
  })
})

describe('what is wrong with works and no tag tells', () => {
  it.each([
    ['not boring fantasy', ['fantasy']],
    ['not your typical isekai', ['isekai']],
    ['no cliche isekai', ['isekai']],
    ['not boring, happy ending romance', ['happy ending', 'romance']],
    ['nothing boring or generic, comedy', ['comedy']],
    ['comedy, no annoying female lead', ['comedy']],
    ['mc isnt a pervert, comedy', ['comedy']],
    ['nothing forced, comedy', ['comedy']],
    ['no generic school romance', ['school', 'romance']],
  ])('excludes nothing that is wished: %s', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })

  it.each([
    ['fantasy but no generic isekai', ['fantasy', 'not isekai']],
    ['no forced romance', ['not romance']],
    ['nothing sad, comedy', ['not sad', 'comedy']],
    ['tired of generic isekai, comedy', ['not isekai', 'comedy']],
  ])('leaves what is excluded: %s', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })
})

describe('faults alone', () => {
  it.each(['no trash', 'no cliches', 'nothing generic', "anime that isn't overrated"])(
    'wish for any good work: %s',
    (query) => {
      expect(interpret(query)).toMatchObject({
        text: '',
        readings: [{ kind: 'fame', value: 'acclaimed' }],
      })
    },
  )

  it.each(['no trash, comedy', 'nothing sad', 'no screaming'])(
    'are not all that is said: %s',
    (query) => {
      expect(interpret(query).readings.filter(({ kind }) => kind === 'fame')).toEqual([])
    },
  )
})

describe('what somebody has just seen', () => {
  it.each([
    ['just finished a heavy anime, something light please', ['light']],
    ['I just watched a sad show, something funny now', ['funny']],
  ])('is not wished where it has no name: %s', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })

  it.each([
    ['just finished a sad show, want more', ['sad']],
    ['just finished a sad show', ['sad']],
    ['a sad show, something funny', ['sad', 'funny']],
  ])('is wished where nothing else is: %s', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })
})
