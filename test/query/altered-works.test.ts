/** Works that a query names with what should be other about them, or is not to be like. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import type { TitleLookup } from '#synoptic/query/interpretation.js'
import { readLexicon } from '#synoptic/query/lexicon.js'

/** The last is an everyday word. */
const titles = [
  'Death Note',
  'Naruto',
  'Haikyuu',
  'One Punch Man',
  'Mushishi',
  'Monster',
  'Time Travel',
]
const plain = (text: string) => text.toLowerCase().replace(/[^a-z]+/g, ' ')
const exact: TitleLookup['exact'] = (text) =>
  titles.flatMap((title, row) =>
    plain(title) === plain(text) ? [{ row, title, similarity: 1 }] : [],
  )
const sure: TitleLookup['exact'] = (text) => exact(text).filter(({ title }) => title !== 'Monster')
const works = [17, 18, 19]
const interpret = createInterpreter({
  lexicon: readLexicon('data/query/en.json'),
  tags: ['space', 'fights', 'humor', 'superheroes', 'time-travel', 'scary', 'calm'].map((tag) => ({
    tag,
    family: 'theme',
    name: tag.replaceAll('-', ' '),
    synonyms: [],
  })),
  names: {
    studios: ['Studio Ghibli'],
    people: ['Junji Itou'],
    genres: ['Romance', 'Comedy', 'Sports'],
  },
  titles: {
    exact,
    match: exact,
    sure,
    mentions: () => [],
    madeWorks: ({ kind }) => (kind === 'studio' || kind === 'person' ? works : []),
  },
})
const readingsOf = (query: string) =>
  interpret(query).readings.map(
    ({ kind, label, excluded }) => `${excluded ? 'not ' : ''}${kind} ${label}`,
  )

describe('a work with something other about it', () => {
  it('is each of several of which something is wished', () => {
    const read = readingsOf('the humor of naruto with the romance of haikyuu')
    expect(read).toEqual(expect.arrayContaining(['like Naruto', 'like Haikyuu']))
  })

  it.each([
    ["like naruto's humor", 'Naruto'],
    ['like naruto´s humor', 'Naruto'],
    ['death note if light were a girl', 'Death Note'],
    ['death note but he is actually good and wins', 'Death Note'],
    ['a naruto where nobody ever leaves the village', 'Naruto'],
    ['naruto for people who cant follow time travel', 'Naruto'],
    ['death note for beginners', 'Death Note'],
    ['basically haikyuu except its girls', 'Haikyuu'],
    ['is there a haikyuu where they lose', 'Haikyuu'],
    ['haikyuu for a girl who fights', 'Haikyuu'],
    ['haikyuu vibes but in space and they get along', 'Haikyuu'],
    ['death note energy where she finds it', 'Death Note'],
    // It is a subject, too.
    ['time travel for a girl who fights', 'Time Travel'],
    ['time travel for girls', 'Time Travel'],
    ['its like mushishi but the boy grows up in a city', 'Mushishi'],
  ])('is an example: %s', (query, title) => {
    expect(readingsOf(query)).toContain(`like ${title}`)
  })

  it.each([
    'a monster where nobody believes the doctor',
    'monster but nobody believes the doctor who let him live',
    'a death note falls from the sky and a boy uses it to kill',
    'death note where light loses his memory',
    'he wants to kill him if death note is true',
    'naruto for free',
    'time travel where she fights',
    'monster for a girl who fights',
    'monster energy where she fights',
    'naruto like ramen where she fights',
    'mushishi. energy where she fights',
    'haikyuu for a girl he loves',
  ])('is none in %s', (query) => {
    expect(readingsOf(query).filter((reading) => reading.startsWith('like'))).toEqual([])
  })

  it('is the better known for what somebody wants of it', () => {
    for (const query of [
      'one punch man humor without the superheroes',
      'the humor of one punch man but no superheroes',
      'something with one punch man humor, no superheroes',
    ]) {
      const wished = ['like One Punch Man', 'not topic superheroes', 'topic humor']
      expect(readingsOf(query).toSorted()).toEqual(wished)
    }
    expect(readingsOf('naruto fights')).not.toContain('like Naruto')
    expect(readingsOf('a boy with naruto fights a girl who is like him')).not.toContain(
      'like Naruto',
    )
  })

  it('lacks what follows its last word, which no man does', () => {
    expect(readingsOf('like one punch man without the superheroes')).toEqual([
      'like One Punch Man',
      'not topic superheroes',
    ])
    expect(readingsOf('a man without superheroes')).toEqual([])
  })

  it('may be in space, unless everything else is wished', () => {
    expect(readingsOf('basically naruto except in space')).toEqual(['like Naruto', 'topic space'])
    expect(readingsOf('sports except time travel')).toContain('not topic time travel')
  })
})

describe('what is excluded, though the like is wished', () => {
  it.each([
    ['ghibli vibes but not ghibli', 'studio Studio Ghibli', works],
    ['something like ghibli films from another studio', 'studio Studio Ghibli', works],
    ['movies that feel like ghibli but arent', 'studio Studio Ghibli', works],
    ['not junji ito but similar', 'person Junji Itou', works],
    ['junji ito but from a different mangaka', 'person Junji Itou', works],
    ["it's no mushishi but a calm show", 'title Mushishi', [4]],
    ["it's not mushishi but similar", 'title Mushishi', [4]],
    ['naruto is boring, give me something better', 'title Naruto', [1]],
  ])('%s', (query, excluded, rows) => {
    const readings = readingsOf(query)
    expect(readings).toContain(`not ${excluded}`)
    expect(readings).toContain(`like ${excluded.replace(/^\w+ /, '')}`)
    expect(interpret(query).readings.find(({ kind }) => kind === 'like')).toMatchObject({ rows })
  })

  it.each([
    'comedy, not ghibli',
    'like naruto but not ghibli',
    "it's not mushishi but it has a boy",
    'ghibli heroes that arent calm',
    'i think naruto is boring',
  ])('but not in %s', (query) => {
    const likes = readingsOf(query).filter((reading) => /^like (?!Naruto)/.test(reading))
    expect(likes).toEqual([])
  })

  it('is nothing like a work of which the opposite is wished', () => {
    expect(readingsOf('the opposite of naruto')).toEqual(['not like Naruto'])
    expect(readingsOf('the opposite of scary')).toEqual(['not topic scary'])
    expect(readingsOf('he is the opposite of naruto in his village')).not.toContain(
      'not like Naruto',
    )
  })

  it('may be what the makers of a work made', () => {
    expect(readingsOf('comedy not by the author of naruto')).toContain('not makers Naruto')
    expect(readingsOf('comedy by the author of naruto')).toContain('makers Naruto')
  })

  it('is what somebody thinks boring', () => {
    expect(readingsOf('i think naruto is boring')).toEqual(['not title Naruto'])
    expect(readingsOf('think naruto in space')).toContain('like Naruto')
  })
})

describe('words of who asks', () => {
  it.each([
    ['for a kid who loves death note', ['like Death Note']],
    ['my little sister loves death note', ['like Death Note']],
    ['a kid who loves death note', []],
  ])('name what is loved: %s', (query, readings) => {
    expect(readingsOf(query).filter((reading) => !reading.startsWith('title'))).toEqual(readings)
  })

  it('wish for no romance where they love something', () => {
    expect(readingsOf('no sports but love time travel')).toEqual([
      'not topic Sports',
      'topic time travel',
    ])
  })

  it('tell a length by what it is not', () => {
    expect(interpret("naruto fan but don't have time for 500 episodes").readings[1]).toMatchObject({
      kind: 'length',
      unit: 'episodes',
      max: 500,
      excluded: false,
    })
    expect(interpret('naruto but half as long').readings[1]).toMatchObject({ max: 26 })
  })
})
