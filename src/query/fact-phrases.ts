/** The phrases that stand for facts: those of the lexicon, the tags, and the names that a dataset has. */
import type { Fact } from './interpretation.js'
import { boundsOf, rangeOf } from './lengths.js'
import type { Lexicon, TagWords } from './lexicon.js'
import { namesOf } from './names-of-people.js'
import { type PhraseTable, createPhraseTable } from './phrase-table.js'
import { queryWords, stemsOf } from './query-words.js'

/** Names that occur in a dataset. */
export interface DatasetNames {
  readonly genres: readonly string[]
  readonly studios: readonly string[]
  /** Authors and directors, given name first; of several with a family name the first is meant. */
  readonly people: readonly string[]
  /** In which most ran comes first. */
  readonly magazines?: readonly string[]
  /** In lower case; any type may occur where absent. */
  readonly types?: readonly string[]
}

export interface FactPhrase {
  readonly fact: Fact
  readonly label: string
  readonly confidence: number
  /** Whether the words mean it only after `by` and the like. */
  readonly needsMaker: boolean
  /** Whether it is somebody or something, of which there is no more and less. */
  readonly isThing?: boolean
  /** Whether somebody or something in a work may have or lack it; a genre or a mood is the work's own. */
  readonly canLack?: boolean
  /** Whether it is one of several things that its tags stand for. */
  readonly isNarrow?: boolean
  /** Whether the words mean it only where nothing but facts stand beside them. */
  readonly needsFacts?: boolean
  /** How it has to be spelt, if no plural may be meant. */
  readonly spelt?: string | undefined
}

export interface FactPhrases extends PhraseTable<FactPhrase> {
  /** The stems of the phrases of one word that name no maker and no magazine. */
  readonly plainWords: readonly string[]
}

export function createFactPhrases(
  lexicon: Lexicon,
  tags: readonly TagWords[],
  names: DatasetNames,
  magazines: readonly Entry[],
  isEverydayWord: (stem: string) => boolean,
): FactPhrases {
  const plain = [
    ...topics(lexicon, tags, names.genres),
    ...together(lexicon),
    ...plainFacts(lexicon, names.types),
    ...forms(lexicon, names.types),
  ]
  return {
    ...createPhraseTable([...plain, ...makers(lexicon, names, isEverydayWord), ...magazines]),
    plainWords: createPhraseTable(plain).singleWords,
  }
}

type Entry = readonly [string, FactPhrase]

const phrase = (fact: Fact, label: string, confidence: number, needsMaker = false): FactPhrase => ({
  fact,
  label,
  confidence,
  needsMaker,
  canLack: false,
})

/** Where words name a topic and a type, such as `film`, they mean the type. */
const topicConfidence = 0.88

/** Genres and tags that the same words name are one topic. */
function topics(
  { genres: genreWords, tags: tagWords, pairs, narrow: narrowWords }: Lexicon,
  tags: readonly TagWords[],
  genres: readonly string[],
): Entry[] {
  const members = new Map<string, { words: string; genres: Set<string>; tags: Set<string> }>()
  const topicOf = (words: string) => {
    const key = keyOf(words)
    const topic = members.get(key) ?? { words, genres: new Set(), tags: new Set() }
    members.set(key, topic)
    return topic
  }
  for (const genre of genres) topicOf(genre).genres.add(genre)
  const spelling = new Map(genres.map((genre) => [genre.toLowerCase(), genre]))
  for (const [genre, synonyms] of Object.entries(genreWords)) {
    const name = spelling.get(genre.toLowerCase())
    if (name !== undefined) for (const words of synonyms) topicOf(words).genres.add(name)
  }
  for (const { tag, name, synonyms } of tags) {
    const parts = pairs.includes(tag) ? [] : tag.split('-and-').map(spaced)
    const own = [spaced(tag), ...parts]
    const all = [...own, name, ...synonyms, ...(tagWords[tag] ?? [])]
    for (const words of all) topicOf(words).tags.add(tag)
  }
  const tagsOf = (families: ReadonlySet<string>) =>
    new Set(tags.filter(({ family = '' }) => families.has(family)).map(({ tag }) => tag))
  const things = tagsOf(thingFamilies)
  const lackable = tagsOf(lackableFamilies)
  const narrow = new Set(narrowWords.map(keyOf))
  return [...members].map(([key, { words, genres, tags }]) => [
    words,
    {
      ...phrase(
        {
          kind: 'topic',
          genres: [...genres],
          tags: [...tags],
          isSubject: genres.size > 0 || [...tags].some((tag) => things.has(tag)),
        },
        words,
        topicConfidence,
      ),
      isThing: genres.size === 0 && [...tags].every((tag) => things.has(tag)),
      canLack: genres.size === 0 && [...tags].every((tag) => lackable.has(tag)),
      isNarrow: narrow.has(key),
    },
  ])
}

const togetherConfidence = 0.89

const together = (lexicon: Lexicon): Entry[] =>
  Object.entries(lexicon.together).map(([words, tags]) => [
    words,
    phrase(
      { kind: 'topic', genres: [], tags, together: true, isSubject: true },
      words,
      togetherConfidence,
    ),
  ])

/** Families of tags that name people, places and subjects rather than how something is told. */
const thingFamilies = new Set(['cast', 'setting', 'theme', 'relationship'])
/** Of these, the tags of what somebody or some place has. */
const lackableFamilies = new Set(['cast', 'setting', 'theme'])

const keyOf = (words: string): string => stemsOf(words).join(' ')

const spaced = (key: string): string => key.replaceAll('-', ' ')

/** Of a type that no work has, the words mean something else if they can: `one shot` is a length, too. */
const absentConfidence = 0.4

function forms({ types, forms }: Lexicon, known: readonly string[] | undefined): Entry[] {
  const occurs = (type: string) => known === undefined || known.includes(type)
  return [
    ...Object.entries(types).flatMap(([type, synonyms]) =>
      synonyms.map((words): Entry => {
        const confidence = occurs(type) ? 0.9 : absentConfidence
        return [words, phrase({ kind: 'type', values: [type] }, words, confidence)]
      }),
    ),
    ...forms.flatMap(({ phrases, values, confidence }) =>
      values.some(occurs)
        ? phrases.map((words): Entry => [
            words,
            phrase({ kind: 'type', values }, words, confidence),
          ])
        : [],
    ),
  ]
}

/** Types of which a length is told in volumes. */
const bookTypes = new Set(['manga', 'manhwa', 'manhua', 'light_novel', 'one_shot'])

function plainFacts(
  { audiences, sources, sourceNames, statuses, fame, eras, lengths }: Lexicon,
  known: readonly string[] | undefined,
): Entry[] {
  const areBooks = (known?.length ?? 0) > 0 && known?.every((type) => bookTypes.has(type))
  const entriesOf = (
    named: Readonly<Record<string, readonly string[]>>,
    confidence: number,
    factOf: (value: string) => Fact,
  ) =>
    Object.entries(named).flatMap(([value, synonyms]) =>
      synonyms.map((words): Entry => [words, phrase(factOf(value), words, confidence)]),
    )
  return [
    ...entriesOf(audiences, 0.9, (value) => ({ kind: 'audience', value })),
    ...entriesOf(sources, 0.9, (value) => ({ kind: 'source', value })).map(asSpelt),
    // A light novel of a catalogue that has some is one.
    ...entriesOf(sourceNames, 0.5, (value) => ({ kind: 'source', value })).map(besideFacts),
    ...entriesOf(statuses, 0.8, (value) => ({ kind: 'status', value })),
    ...(['popular', 'obscure', 'acclaimed'] as const).flatMap((value) =>
      fame[value].map((words): Entry => [words, phrase({ kind: 'fame', value }, words, 0.6)]),
    ),
    ...eras.flatMap(({ phrases, from, to, confidence }) =>
      phrases.map((words): Entry => [words, phrase(rangeOf(from, to), words, confidence)]),
    ),
    ...lengths.flatMap(({ phrases, unit, min, max, ofFilms, confidence }) => {
      const bounds = { ...boundsOf({ min, max }), ...(ofFilms && { ofFilms: boundsOf(ofFilms) }) }
      // Books have no episodes: what is short or long is so in volumes.
      const certainty = areBooks && unit !== 'volumes' ? absentConfidence : confidence
      return phrases.map((words): Entry => {
        const isOfSeries = unit === 'episodeMinutes' && /\bepisodes$/.test(words)
        const fact = { kind: 'length' as const, unit, ...(isOfSeries && { isOfSeries }), ...bounds }
        return [words, phrase(fact, words, certainty)]
      })
    }),
  ]
}

/** `originals` are of no source, and what is `original` is new. */
const asSpelt = ([words, value]: Entry): Entry => [
  words,
  { ...value, spelt: words.includes(' ') ? undefined : words },
]

const besideFacts = ([words, value]: Entry): Entry => [words, { ...value, needsFacts: true }]

/** `ghibli` is no other word, as `wit` is. */
const minAliasLength = 6

/** A name of one common word, such as `Bones` or `Shaft`, is less sure than one of several; in a told story it is no name. */
export const oneWordConfidence = 0.55

function makers(
  { studioAliases, filler }: Lexicon,
  { studios, people }: DatasetNames,
  isEverydayWord: (stem: string) => boolean,
): Entry[] {
  const known = new Map(studios.map((studio) => [studio.toLowerCase(), studio]))
  const everyday = new Set(filler.map(keyOf))
  // `feels like` does not name the studio feel, nor an arm the studio Arms.
  const studioEntry = (words: string, value: string): Entry => {
    const [word, ...others] = queryWords(words)
    const spelt = others.length === 0 ? word?.folded : undefined
    const confidence = spelt === undefined ? 0.9 : oneWordConfidence
    const isEveryday = everyday.has(keyOf(words))
    return [words, { ...phrase({ kind: 'studio', value }, value, confidence, isEveryday), spelt }]
  }
  const calledStudio = (words: string, value: string): Entry[] => {
    const name = words.replaceAll(/^studio\s+|\s+studios?$/gi, '')
    const studio = phrase({ kind: 'studio', value }, value, 0.9)
    return [`studio ${name}`, `${name} studio`].map((called) => [called, studio])
  }
  const aliasEntry = (words: string, value: string): Entry =>
    words.length < minAliasLength
      ? studioEntry(words, value)
      : [words, phrase({ kind: 'studio', value }, value, 0.9)]
  return [
    ...studios.flatMap((studio) => [studioEntry(studio, studio), ...calledStudio(studio, studio)]),
    ...Object.entries(studioAliases).flatMap(([studio, aliases]) => {
      const value = known.get(studio.toLowerCase())
      if (value === undefined) return []
      return aliases.flatMap((words) => [aliasEntry(words, value), ...calledStudio(words, value)])
    }),
    ...people.flatMap((person) =>
      namesOf(person, isEverydayWord).map(({ words, needsMaker }): Entry => [
        words,
        phrase({ kind: 'person', value: person }, person, 0.9, needsMaker),
      ]),
    ),
  ]
}
