/** Words as they are typed: misspelt, said of people rather than of works, or of one of several things that a tag means. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import type { TitleLookup } from '#synoptic/query/interpretation.js'
import { readLexicon, readTagWords } from '#synoptic/query/lexicon.js'

const none = () => []
const noTitles: TitleLookup = { exact: none, match: none, mentions: none }
const options = {
  lexicon: readLexicon('data/query/en.json'),
  tags: readTagWords('data/works/tags.json'),
  names: { genres: ['Action', 'Horror', 'Mystery', 'Romance'], studios: ['Trigger'], people: [] },
  titles: noTitles,
}
const interpret = createInterpreter(options)
const read = (query: string, interpretOf = interpret) =>
  interpretOf(query).readings.map(({ kind, label }) => `${kind} ${label}`)
const tagsOf = (query: string) =>
  interpret(query).readings.flatMap((reading) => (reading.kind === 'topic' ? reading.tags : []))

describe('a misspelt word', () => {
  it.each([
    ['detectve anime', 'detective anime'],
    ['phsychological thriler', 'psychological thriller'],
    ['pyschological horror', 'psychological horror'],
    ['isakai', 'isekai'],
    ['mystrey', 'mystery'],
    ['time travle', 'time travel'],
    ['vampir romace', 'vampire romance'],
    ['about vampries', 'about vampires'],
    ['homeles hero', 'homeless hero'],
    ['sorceres', 'sorceress'],
    ['underraated', 'underrated'],
    ['transmigation', 'transmigration'],
  ])('%s is read as %s', (query, meant) => {
    expect(read(query)).toEqual(read(meant))
    expect(read(meant)).not.toEqual([])
  })

  it('keeps its place in the query', () => {
    expect(interpret('some detectve').readings).toMatchObject([{ begin: 5, end: 13 }])
  })

  it('is none where works have it: triple agents are no triplets', () => {
    const isWord = (word: string) => word === 'triple' || word === 'printing'
    const withWords = createInterpreter({ ...options, titles: { ...noTitles, isWord } })
    for (const query of ['triple agent', 'printing press'])
      expect(read(query, withWords)).toEqual([])
    expect(read('detectve', withWords)).toEqual(read('detective'))
  })

  it.each(['morning', 'waiting', 'poison', 'overload', 'Trigger', 'trgr', 'abcdefgh', 'detxxtve'])(
    '%s is none',
    (query) => {
      expect(read(`${query} things`).filter((one) => one.startsWith('topic'))).toEqual([])
    },
  )

  it('is no subject where it is or nearly is a title, or in a told story', () => {
    const exact = (text: string) =>
      text === 'detectve' ? [{ row: 0, title: 'Detectve', similarity: 1 }] : []
    const near = (text: string) =>
      text === 'tepmle' ? [{ row: 1, title: 'Temple', similarity: 0.9 }] : []
    const titles = { ...noTitles, exact, match: near }
    const withTitles = createInterpreter({ ...options, titles })
    expect(read('a detectve', withTitles)).toEqual(['title Detectve'])
    expect(read('tepmle', withTitles)).toEqual(['title Temple'])
    expect(read('tepmle')).toEqual(['topic temple'])
    // A part of a title is less than the subject.
    const part = () => [{ row: 1, title: 'Temple of Doom', similarity: 0.86 }]
    const withPart = createInterpreter({ ...options, titles: { ...noTitles, match: part } })
    expect(read('tepmle', withPart)).toEqual(['topic temple'])
    expect(read('a boy who is a detectve')).toEqual([])
  })
})

describe('a phrase', () => {
  it('means all of its tags together, or any of them', () => {
    expect(interpret('anime about programmers').readings).toMatchObject([
      { kind: 'topic', tags: ['office', 'video-games'], together: true },
    ])
    expect(interpret('lord of the rings').readings).toMatchObject([{ together: true }])
    const [any] = interpret('haunting').readings
    expect(any).not.toHaveProperty('together')
  })

  it('is not half of a name of two', () => {
    expect(tagsOf('black and white')).toEqual(['black-and-white'])
    expect(tagsOf('white haired elf')).toEqual(['elf'])
    expect(tagsOf('hero')).toEqual([])
    expect(tagsOf('money')).toEqual(['money-and-business'])
  })

  it('that names one of several things leaves more to the texts', () => {
    expect(interpret('mermaids').explained).toBeCloseTo(0.7)
    expect(interpret('mermaids').text).toBe('mermaids')
    expect(interpret('fairy tale').explained).toBe(1)
  })
})

describe('the lexicon', () => {
  const { narrow, together, pairs, tags, spelt } = options.lexicon
  const known = new Set(options.tags.map(({ tag }) => tag))

  it('has words for tags that there are', () => {
    const named = [...Object.keys(tags), ...Object.values(together).flat(), ...pairs]
    expect(named.filter((tag) => !known.has(tag))).toEqual([])
  })

  it('has narrow words that are subjects, and real words that are none', () => {
    const kinds = (word: string) => interpret(word).readings.map(({ kind }) => kind)
    expect(narrow.filter((word) => !kinds(word).includes('topic'))).toEqual([])
    expect(spelt.filter((word) => kinds(word).length > 0)).toEqual([])
  })
})

describe('a query of filler alone', () => {
  it.each(['some good anime to watch', 'good anime on Netflix', 'something good'])(
    '%s wishes for what is good',
    (query) => {
      expect(interpret(query)).toMatchObject({
        readings: [{ kind: 'fame', value: 'acclaimed', begin: 0, end: query.length }],
        explained: 1,
        text: '',
      })
    },
  )

  it('is none with one word, with a word that says something, or where it is ignored', () => {
    expect(read('anime')).toEqual([])
    expect(read('some good trawler')).toEqual([])
    expect(interpret('some good anime', [{ begin: 0, end: 4 }]).readings).toEqual([])
  })
})

describe('what a negation after another excludes', () => {
  it.each([
    'not isekai and not harem',
    'not isekai or no harem',
    'without isekai and without harem',
  ])('%s', (query) => {
    const excluded = interpret(`mecha ${query}`).readings.filter((reading) => reading.excluded)
    expect(excluded.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'topic isekai',
      'topic harem',
    ])
  })
})

describe('old, short and popular', () => {
  it.each([
    ['an old school building where she lives', 'years'],
    ['a popular girl falls for him', 'fame'],
    ['romance with a short girl and a tall guy', 'length'],
    ['he is a new student', 'years'],
    ['the world ends and nobody knows who did it', 'fame'],
  ])('%s: is said of no work', (query, kind) => {
    expect(interpret(query).readings.map((reading) => reading.kind)).not.toContain(kind)
  })

  it.each([
    ['a short anime where a girl dies', 'length'],
    ['popular romance anime where a girl falls for a vampire', 'fame'],
    ['old horror and mystery movies where she lives', 'years'],
    ['old', 'years'],
    ['underrated romance', 'fame'],
  ])('%s: is said of works', (query, kind) => {
    expect(interpret(query).readings.map((reading) => reading.kind)).toContain(kind)
  })

  it('long is told in volumes where there are books alone', () => {
    const ofTypes = (...types: string[]) =>
      createInterpreter({ ...options, names: { ...options.names, types } })('long romance').readings
    expect(ofTypes('manga', 'manhwa')).toMatchObject([{ unit: 'volumes', min: 20 }, {}])
    expect(ofTypes('tv', 'movie')).toMatchObject([{ unit: 'episodes' }, {}])
    expect(ofTypes()).toMatchObject([{ unit: 'episodes' }, {}])
  })
})

describe('a title', () => {
  const matches = (text: string) =>
    'densetsu no yuusha'.startsWith(text) || text === 'konosuba'
      ? [{ row: 2, title: text === 'konosuba' ? 'KonoSuba' : 'Densetsu', similarity: 0.86 }]
      : []
  const withTitles = createInterpreter({ ...options, titles: { ...noTitles, match: matches } })

  it('before like at the end of a query is named, where it is no other subject', () => {
    expect(read('konosuba like', withTitles)).toEqual(['like KonoSuba'])
    expect(read('romance like', withTitles)).toEqual(['topic Romance'])
  })

  it.each([
    ['naruto vibes', ['like Naruto']],
    ['something naruto esque', ['like Naruto']],
    ['naruto-style', ['like Naruto']],
    ['romance vibes', ['topic Romance']],
    ['konosuba vibes', []],
  ])('is named before a word for what is like it, where it is spelt so: %s', (query, readings) => {
    const exact = (text: string) =>
      text === 'naruto' ? [{ row: 3, title: 'Naruto', similarity: 1 }] : []
    const titles = { ...noTitles, exact, match: matches }
    expect(read(query, createInterpreter({ ...options, titles }))).toEqual(readings)
  })

  it('is excluded by its words and not by what they begin with', () => {
    expect(read('harem but the mc is not dense', withTitles)).toEqual([
      'topic harem',
      'words dense',
    ])
    expect(read('harem but not densetsu', withTitles)).toEqual(['topic harem', 'title Densetsu'])
  })
})
