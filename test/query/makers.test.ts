/** Works beside their makers, and makers who are told by a work. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import type { Fact, TitleLookup } from '#synoptic/query/interpretation.js'
import { readLexicon } from '#synoptic/query/lexicon.js'

const works = [
  ['Monster', 'Naoki Urasawa', 'Madhouse'],
  ['Another', 'Tsutomu Mizushima', 'P.A. Works'],
  ['Death Note', 'Tsugumi Ooba', 'Madhouse'],
  ['Iron Man', 'Yuuzou Satou', 'Madhouse'],
  ['Samurai Champloo', 'Shinichirou Watanabe', 'Manglobe'],
  ['Urasawa Before Monster', 'Somebody Else', 'Bones'],
  ['School Romance', 'Somebody Else', 'Bones'],
  ["Watanabe's Book of Friends", 'Somebody Else', 'Bones'],
] as const
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, ' ')
    .trim()
const rowsWhere = (isMeant: (title: string) => boolean, similarity: number) =>
  works.flatMap(([title], row) => (isMeant(plain(title)) ? [{ row, title, similarity }] : []))
const exact = (text: string) => rowsWhere((title) => title === plain(text), 1)
const isPart = (text: string, title: string) =>
  plain(text)
    .split(' ')
    .every((word) => title.split(' ').includes(word))
const match = (text: string) =>
  exact(text).length > 0 ? exact(text) : rowsWhere((title) => isPart(text, title), 0.9)
const madeBy = (row: number, maker: Fact) =>
  'value' in maker && (works[row]?.slice(1) as readonly string[]).includes(maker.value)
const heads = (text: string) => rowsWhere((title) => title.startsWith(plain(text)), 0.9)
const titles: TitleLookup = {
  exact,
  match,
  madeBy,
  heads,
  mentions: () => [],
  middleYear: (maker) => ('value' in maker && maker.value === 'Naoki Urasawa' ? 2001 : undefined),
  characters: ([first]) =>
    first === 'urasawa' || first === 'madhouse'
      ? { length: 1, name: `A ${first}`, rows: [6], kind: 'word' }
      : undefined,
}
const options = {
  lexicon: readLexicon('data/query/en.json'),
  tags: ['monster', 'school', 'spiral', 'work'].map((tag) => ({ tag, name: tag, synonyms: [] })),
  names: {
    genres: ['Romance', 'Mystery'],
    studios: ['Madhouse', 'P.A. Works', 'Bones'],
    people: [...new Set(works.map(([, person]) => person))],
  },
  titles,
}
const interpret = createInterpreter(options)
const read = (query: string) =>
  interpret(query).readings.map(
    ({ kind, label, excluded }) => `${excluded ? 'not ' : ''}${kind} ${label}`,
  )

it.each([
  ["watanabe's book", false],
  ["watanabe's book of enemies", false],
  ["watanabe's books of war", true],
  ["watanabe's anime", true],
  ['by watanabe', true],
])('%s names a person where no title begins so: %s', (query, isNamed) => {
  const people = interpret(query).readings.filter(({ kind }) => kind === 'person')
  expect(people.length > 0).toBe(isNamed)
})

describe('the half of what somebody made', () => {
  const yearsOf = (query: string) =>
    interpret(query).readings.flatMap((reading) =>
      reading.kind === 'years' ? [[reading.from, reading.to]] : [],
    )

  it.each([
    ['early urasawa', undefined, 2001],
    ['early urasawa manga', undefined, 2001],
    ["urasawa's first manga", undefined, 2001],
    ['urasawa early manga', undefined, 2001],
    ['first manga by urasawa', undefined, 2001],
    ["urasawa's latest", 2002, undefined],
    ['latest urasawa manga', 2002, undefined],
  ])('%s', (query, from, to) => {
    expect(yearsOf(query)).toEqual([[from, to]])
    expect(read(query)).toContain('person Naoki Urasawa')
  })

  it.each([
    ['my first urasawa manga', 'what somebody who asks reads first'],
    ['urasawa first timer', 'somebody'],
    ['early mystery by urasawa in a school', 'of a mystery'],
    ['not early urasawa', 'excluded'],
    ['early watanabe', 'of too few works'],
    ['a boy dies early', 'of nobody'],
  ])('%s is %s', (query) => {
    expect(yearsOf(query)).toEqual([])
  })

  it('is no other than the years that are told', () => {
    expect(yearsOf('late 90s urasawa')).toEqual([[1995, 1999]])
    expect(yearsOf('early urasawa manga before 1999')).toHaveLength(1)
  })
})

describe('a title beside those who made it', () => {
  it.each([
    ['monster urasawa', 'Monster'],
    ['monster by urasawa', 'Monster'],
    ["urasawa's monster", 'Monster'],
    ['naoki urasawa monster', 'Monster'],
    ['monster anime madhouse', 'Monster'],
    ['the monster manga by naoki urasawa', 'Monster'],
    ['another by pa works', 'Another'],
    ['death note ooba', 'Death Note'],
    ['champloo watanabe', 'Samurai Champloo'],
    ['champloo directed by watanabe', 'Samurai Champloo'],
  ])('%s is that work, and nothing else', (query, title) => {
    const [reading, ...others] = interpret(query).readings
    expect(reading).toMatchObject({ kind: 'title', label: title, begin: 0, end: query.length })
    expect(reading?.confidence ?? 0).toBeGreaterThan(0.9)
    expect(others).toEqual([])
  })

  it.each([
    ['monster watanabe', 'another made it'],
    ['romance bones', 'a subject that its title has'],
    ['school bones', 'a subject that its title has'],
    ['the best madhouse', 'says no title'],
    ['madhouse anime', 'says no title'],
    ['monster school urasawa', 'is no title'],
    ['monster urasawa romance', 'says more'],
    ['monster by anyone but urasawa', 'is by another'],
  ])('%s is none: %s', (query) => {
    expect(interpret(query).readings.filter(({ confidence }) => confidence > 0.97)).toEqual([])
  })

  it('is the title that is spelt so', () => {
    expect(read('urasawa before monster')).toEqual(['title Urasawa Before Monster'])
  })

  it('is read otherwise where the reading is taken away, or nobody knows who made what', () => {
    const query = 'monster by urasawa'
    const ignored = interpret(query, [{ begin: 0, end: query.length }])
    expect(ignored.readings).toEqual([])
    const { readings } = createInterpreter({
      ...options,
      titles: { ...titles, madeBy: () => false },
    })(query)
    expect(readings.map(({ kind }) => kind)).toEqual(['topic', 'person'])
  })
})

describe('style and stuff', () => {
  it.each([
    ['madhouse style', ['studio Madhouse']],
    ['bones and madhouse style', ['studio Bones', 'studio Madhouse']],
    ['urasawa stuff', ['person Naoki Urasawa']],
    ['bones style romance', ['studio Bones', 'topic Romance']],
    ['monster style', ['like Monster']],
    ['urasawa', ['person Naoki Urasawa']],
  ])('of a maker are what they make: %s', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })
})

describe('a name that is excluded', () => {
  it.each([
    ['romance not bones', ['topic Romance', 'not studio Bones']],
    ['romance no madhouse', ['topic Romance', 'not studio Madhouse']],
    ['romance no bones', ['topic Romance', 'not words bones']],
  ])('is no studio where a thing is lacking: %s', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })

  it.each([
    ['madhouse but not urasawa', ['studio Madhouse', 'not person Naoki Urasawa']],
    ['madhouse except urasawa', ['studio Madhouse', 'not person Naoki Urasawa']],
    ['romance but not urasawa', ['topic Romance', 'not title Urasawa Before Monster']],
  ])('beside makers is that of another: %s', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })
})

describe('works', () => {
  it.each([
    ['naoki urasawa works', ['person Naoki Urasawa']],
    ['urasawa works besides monster', ['person Naoki Urasawa', 'not title Monster']],
    ['naoki urasawa but not monster', ['person Naoki Urasawa', 'not title Monster']],
    [
      'watanabe but not monster',
      ['person Shinichirou Watanabe', 'not topic monster', 'not title Monster'],
    ],
    ['she works at a school', ['topic work', 'topic school']],
    ['naoki urasawa work', ['person Naoki Urasawa', 'topic work']],
  ])('of somebody are not what they are about: %s', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })
})

describe('makers', () => {
  it.each([
    'madhouse 90s',
    'madhouse 1998',
    'mystery from urasawa',
    'bones 2016',
    'madhouse early 2000s',
  ])('in %s are no characters of that name', (query) => {
    const kinds = interpret(query).readings.map(({ kind }) => kind)
    expect(kinds).not.toContain('title')
    expect(kinds.some((kind) => kind === 'studio' || kind === 'person')).toBe(true)
  })

  it.each([
    ['by the creator of iron man', 'Iron Man', 'creator'],
    ['author of death note', 'Death Note', 'author'],
    ['death note author', 'Death Note', 'author'],
    ["death note's author other works", 'Death Note', 'author'],
    ['iron man director', 'Iron Man', 'director'],
    ['other works of the monster author', 'Monster', 'author'],
    ['by the Monster guy', 'Monster', 'creator'],
    ['by the Monster guys', 'Monster', undefined],
    ['from the death note team', 'Death Note', undefined],
    ["death note's team did another one", 'Death Note', undefined],
    ["death note's crew made something else", 'Death Note', undefined],
    ['who wrote monster', 'Monster', 'author'],
    ['which studio animated death note', 'Death Note', 'studio'],
    ['who made death note anime', 'Death Note', undefined],
    ['the guy who wrote death note', 'Death Note', 'author'],
    ['person who made death note', 'Death Note', 'creator'],
    ['same guy who made death note', 'Death Note', 'creator'],
    ['by the same lady who directed monster', 'Monster', 'director'],
    ['same author as monster his other one', 'Monster', 'author'],
    ['the death note guys other one', 'Death Note', undefined],
    ["death note guy's other manga", 'Death Note', undefined],
    ['death note author other manga', 'Death Note', 'author'],
  ])('%s names those of a work', (query, label, role) => {
    const [reading, ...others] = interpret(query).readings
    expect(reading).toMatchObject({ kind: 'makers', label })
    expect(reading && 'role' in reading ? reading.role : undefined).toBe(role)
    expect(others).toEqual([])
  })

  it.each([
    'monster author',
    'school author romance',
    "death note's team did another experiment",
    "monster's team made something else",
    "death note's team",
    'monster guy',
    'a school director',
    'a girl who made death note',
    'who made monster cry',
    'who wrote a mystery',
    'she meets the monster author at school',
    'an author of romance',
    'guy who made death note cry',
    'a mystery, the person who made death note',
    'the monster guys other one',
    'the death note guys fight in another school',
  ])('%s names none', (query) => {
    expect(interpret(query).readings.map(({ kind }) => kind)).not.toContain('makers')
  })

  it.each([
    ['romance not by urasawa', 'person Naoki Urasawa'],
    ['mystery but not by Naoki Urasawa', 'person Naoki Urasawa'],
    ['mystery by anyone but urasawa', 'person Naoki Urasawa'],
    ['mystery by someone other than urasawa', 'person Naoki Urasawa'],
    ['mystery not from madhouse', 'studio Madhouse'],
    ['siblings not by blood', 'words by blood'],
    ['naoki urasawa works besides monster', 'title Monster'],
    ['urasawa but not monster', 'title Monster'],
  ])('%s excludes %s', (query, excluded) => {
    expect(read(query).at(-1)).toBe(`not ${excluded}`)
    expect(read(query).filter((reading) => reading.endsWith(excluded))).toHaveLength(1)
  })
})

describe('names of makers', () => {
  const people = [
    'NISIO ISIN',
    'TYPE-MOON',
    'Key',
    'Chiaki J. Konaka',
    'Gen Urobuchi',
    'Wright Flyer Studios',
    'Miraijin A',
    'G.O.',
  ]
  const named = createInterpreter({ ...options, names: { ...options.names, people } })
  const peopleIn = (query: string) =>
    named(query).readings.flatMap(({ kind, label }) => (kind === 'person' ? [label] : []))

  it.each([
    ['something by nisio isin', 'NISIO ISIN'],
    ['nisioisin mystery', 'NISIO ISIN'],
    ['isin nisio', 'NISIO ISIN'],
    ['type-moon', 'TYPE-MOON'],
    ['typemoon romance', 'TYPE-MOON'],
    ['chiaki konaka mystery', 'Chiaki J. Konaka'],
    ['chiaki j. konaka', 'Chiaki J. Konaka'],
    ['by urobuchi', 'Gen Urobuchi'],
    ['visual novel by key', 'Key'],
    ['romance from wright flyer studios', 'Wright Flyer Studios'],
  ])('%s means %s', (query, person) => {
    expect(peopleIn(query)).toEqual([person])
  })

  it.each([
    'a girl finds a key in the garden',
    'anime made by studios of a small town',
    'a town attacked by a giant',
    'where do they go by night',
    'a moon of another type',
  ])('%s means nobody', (query) => {
    expect(peopleIn(query)).toEqual([])
  })
})
