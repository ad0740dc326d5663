/** What the phrases of a query may mean: genres, tags and other facts, by the lexicon and the names of a dataset. */
import { constants } from '../../base/constants/constants.js'
import type { Fact } from './interpretation.js'
import type { Lexicon, TagWords } from './lexicon.js'
import { magazineSenses } from './magazines.js'
import { spellingsOf } from '../../base/text/name-spellings.js'
import type { Sense, SenseEntry, SenseList } from './sense.js'
import { keyOf, wordsOf } from '../../base/text/words.js'

export interface DatasetNames {
  readonly genres: readonly string[]
  readonly studios: readonly string[]
  readonly people: readonly string[]
  readonly magazines?: readonly string[]
  readonly types?: readonly string[]
}

export function sensesOf(
  lexicon: Lexicon,
  tags: readonly TagWords[],
  names: DatasetNames,
): readonly SenseEntry[] {
  return [
    ...topics(lexicon, tags, names.genres),
    ...plainFacts(lexicon, names.types),
    ...makers(lexicon, names),
    ...magazineSenses(lexicon, names.magazines ?? []),
  ]
}

const sense = (list: SenseList, fact: Fact, label: string, confidence = 1): Sense => ({
  list,
  fact,
  label,
  confidence,
})

/** Families of tags that name people, places and subjects rather than a manner. */
const thingFamilies = new Set(['cast', 'setting', 'theme', 'relationship'])

/** Genres and tags that the same words name are one topic. */
function topics(
  { genres: genreWords, tags: tagWords, pairs, narrow, plurals, together, lacking }: Lexicon,
  tags: readonly TagWords[],
  genres: readonly string[],
): SenseEntry[] {
  const members = new Map<string, { words: string; genres: Set<string>; tags: Set<string> }>()
  const topicOf = (words: string) => {
    const key = plurals.includes(words) ? words : keyOf(words)
    const topic = members.get(key) ?? { words, genres: new Set(), tags: new Set() }
    members.set(key, topic)
    return topic
  }
  const spelling = new Map(genres.map((genre) => [genre.toLowerCase(), genre]))
  for (const genre of genres) topicOf(genre).genres.add(genre)
  for (const [genre, synonyms] of Object.entries(genreWords)) {
    const name = spelling.get(genre.toLowerCase())
    if (name !== undefined) for (const words of synonyms) topicOf(words).genres.add(name)
  }
  for (const { tag, name, synonyms } of tags) {
    const parts = pairs.includes(tag) ? [] : tag.split('-and-').map(spaced)
    const all = [spaced(tag), ...parts, name, ...synonyms, ...(tagWords[tag] ?? [])]
    for (const words of all.flatMap(withRoles)) topicOf(words).tags.add(tag)
  }
  const things = new Set(
    tags.filter(({ family = '' }) => thingFamilies.has(family)).map(({ tag }) => tag),
  )
  const isNarrow = new Set(narrow.map(keyOf))
  return [
    ...[...members].map(([key, { words, genres, tags }]): SenseEntry => {
      const isSubject = genres.size > 0 || [...tags].some((tag) => things.has(tag))
      const fact = { kind: 'topic' as const, genres: [...genres], tags: [...tags], isSubject }
      const list = genres.size > 0 ? 'genre' : isSubject ? 'subject' : 'manner'
      const isPlural = plurals.includes(key)
      return [
        words,
        {
          ...sense(list, fact, words),
          ...(isPlural && { spelt: key }),
          ...(isNarrow.has(key) && { isNarrow: true }),
        },
      ]
    }),
    ...Object.entries(together).flatMap(([phrase, tags]) =>
      withRoles(phrase).map((words): SenseEntry => {
        const fact = { kind: 'topic' as const, genres: [], tags, together: true, isSubject: true }
        return [words, sense('together', fact, words)]
      }),
    ),
    ...Object.entries(lacking).flatMap(([tag, phrases]) =>
      phrases.map((words): SenseEntry => {
        const fact = { kind: 'topic' as const, genres: [], tags: [tag] }
        return [words, { ...sense('lacking', fact, words), isLacking: true }]
      }),
    ),
  ]
}

const spaced = (key: string): string => key.replaceAll('-', ' ')

const roles = ['main character', 'protagonist', 'mc']
const roleLinks = new Set(['a', 'an', 'the', 'as', 'is'])

/** `villain protagonist`, and `villain as the mc`, `main character is a villain`. */
function withRoles(phrase: string): readonly string[] {
  const key = keyOf(phrase)
  const role = roles.find((words) => key.endsWith(` ${words}`))
  const who = role === undefined ? '' : key.slice(0, -role.length - 1)
  if (role === undefined || who.split(' ').some((word) => roleLinks.has(word))) return [phrase]
  return [
    phrase,
    ...roles.flatMap((words) => [
      `${who} ${words}`,
      ...['as', 'as a', 'as the'].map((link) => `${who} ${link} ${words}`),
      ...['is', 'is a', 'is an'].map((link) => `${words} ${link} ${who}`),
    ]),
  ]
}

const bookTypes = new Set(['manga', 'manhwa', 'manhua', 'light_novel', 'one_shot'])

function plainFacts(lexicon: Lexicon, known: readonly string[] | undefined): SenseEntry[] {
  const { absent } = constants().reader
  const occurs = (type: string) => known === undefined || known.includes(type)
  const areBooks = (known?.length ?? 0) > 0 && known?.every((type) => bookTypes.has(type)) === true
  const entriesOf = (
    named: Readonly<Record<string, readonly string[]>>,
    list: SenseList,
    factOf: (value: string) => Fact,
    confidence?: (value: string) => number,
  ): SenseEntry[] =>
    Object.entries(named).flatMap(([value, phrases]) =>
      phrases.map((words): SenseEntry => [
        words,
        sense(list, factOf(value), words, confidence?.(value)),
      ]),
    )
  return [
    ...entriesOf(
      lexicon.types,
      'type',
      (value) => ({ kind: 'type', values: [value] }),
      (type) => (occurs(type) ? 1 : absent),
    ),
    ...lexicon.forms
      .filter(({ values }) => values.some(occurs))
      .flatMap(({ phrases, values, confidence }) =>
        phrases.map((words): SenseEntry => [
          words,
          sense('form', { kind: 'type', values }, words, confidence),
        ]),
      ),
    ...entriesOf(lexicon.audiences, 'audience', (value) => ({ kind: 'audience', value })),
    ...entriesOf(lexicon.sources, 'source', (value) => ({ kind: 'source', value })).map(
      // `originals` are of no source.
      ([words, one]): SenseEntry => [words, words.includes(' ') ? one : { ...one, spelt: words }],
    ),
    ...entriesOf(lexicon.sourceNames, 'sourceName', (value) => ({ kind: 'source', value })),
    ...entriesOf(lexicon.statuses, 'status', (value) => ({ kind: 'status', value })),
    ...entriesOf(lexicon.fame, 'fame', (value) => ({
      kind: 'fame',
      value: value as 'popular' | 'obscure' | 'acclaimed',
    })),
    ...lexicon.eras.flatMap(({ phrases, from, to, confidence }) =>
      phrases.map((words): SenseEntry => [
        words,
        sense('era', { kind: 'years', ...defined({ from, to }) }, words, confidence),
      ]),
    ),
    ...lexicon.lengths.flatMap(({ phrases, unit, min, max, ofFilms, isWhole, confidence }) => {
      const certainty = areBooks && unit !== 'volumes' ? absent : confidence
      return phrases.map((words): SenseEntry => {
        const isOfSeries = unit === 'episodeMinutes' && /\bepisodes$/.test(words)
        const fact: Fact = {
          kind: 'length',
          unit,
          ...defined({ min, max }),
          ...(isOfSeries && { isOfSeries }),
          ...(ofFilms && { ofFilms: defined(ofFilms) }),
          ...(isWhole && { isWhole }),
        }
        return [words, sense('length', fact, words, certainty)]
      })
    }),
  ]
}

/** Without members that are undefined. */
export const defined = <T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

/** `ghibli` is no other word, as `wit` is. */
const minAliasLength = 6

function makers({ studioAliases }: Lexicon, { studios, people }: DatasetNames): SenseEntry[] {
  const known = new Map(studios.map((studio) => [studio.toLowerCase(), studio]))
  const studioSense = (words: string, value: string, isSure = false): SenseEntry => {
    const [word, ...others] = wordsOf(words)
    const isWord = others.length === 0 && !isSure
    const one = sense(isWord ? 'studioWord' : 'studio', { kind: 'studio', value }, value)
    return [words, isWord ? { ...one, spelt: word?.folded } : one]
  }
  const called = (words: string, value: string): SenseEntry[] => {
    const name = words.replaceAll(/^studio\s+|(?<!\s)\s+studios?$/gi, '')
    return [`studio ${name}`, `${name} studio`].map((said) => studioSense(said, value, true))
  }
  return [
    ...studios.flatMap((studio) => [studioSense(studio, studio), ...called(studio, studio)]),
    ...Object.entries(studioAliases).flatMap(([studio, aliases]) => {
      const value = known.get(studio.toLowerCase())
      if (value === undefined) return []
      return aliases.flatMap((words) => [
        studioSense(words, value, words.length >= minAliasLength),
        ...called(words, value),
      ])
    }),
    ...people.flatMap((person) =>
      spellingsOf(person).map(({ words, isFamily }): SenseEntry => [
        words,
        sense(isFamily ? 'family' : 'person', { kind: 'person', value: person }, person),
      ]),
    ),
  ]
}
