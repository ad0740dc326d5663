/** The phrases that stand for facts: those of the lexicon, the tags, and the names that a dataset has. */
import { type FactPhrase, oneWordConfidence, phrase, type PhraseEntry } from './fact-phrase.js'
import type { Fact } from './interpretation.js'
import { boundsOf, rangeOf } from './lengths.js'
import type { Lexicon, TagWords } from './lexicon.js'
import { namesOf } from './names-of-people.js'
import { type PhraseTable, createPhraseTable } from './phrase-table.js'
import { keyOf, queryWords } from './query-words.js'
import { together, topics } from './topics.js'

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

export interface FactPhrases extends PhraseTable<FactPhrase> {
  /** The stems of the phrases of one word that name no maker and no magazine. */
  readonly plainWords: readonly string[]
}

export function createFactPhrases(
  lexicon: Lexicon,
  tags: readonly TagWords[],
  names: DatasetNames,
  others: readonly PhraseEntry[],
  isEverydayWord: (stem: string) => boolean,
): FactPhrases {
  const plain = [
    ...topics(lexicon, tags, names.genres),
    ...together(lexicon),
    ...plainFacts(lexicon, names.types),
    ...forms(lexicon, names.types),
  ]
  return {
    ...createPhraseTable([...plain, ...makers(lexicon, names, isEverydayWord), ...others]),
    plainWords: createPhraseTable(plain).singleWords,
  }
}

/** Of a type that no work has, the words mean something else if they can: `one shot` is a length, too. */
const absentConfidence = 0.4

function forms({ types, forms }: Lexicon, known: readonly string[] | undefined): PhraseEntry[] {
  const occurs = (type: string) => known === undefined || known.includes(type)
  return [
    ...Object.entries(types).flatMap(([type, synonyms]) =>
      synonyms.map((words): PhraseEntry => {
        const confidence = occurs(type) ? 0.9 : absentConfidence
        return [words, phrase({ kind: 'type', values: [type] }, words, confidence)]
      }),
    ),
    ...forms.flatMap(({ phrases, values, confidence }) =>
      values.some(occurs)
        ? phrases.map((words): PhraseEntry => [
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
): PhraseEntry[] {
  const areBooks = (known?.length ?? 0) > 0 && known?.every((type) => bookTypes.has(type))
  const entriesOf = (
    named: Readonly<Record<string, readonly string[]>>,
    confidence: number,
    factOf: (value: string) => Fact,
  ) =>
    Object.entries(named).flatMap(([value, synonyms]) =>
      synonyms.map((words): PhraseEntry => [words, phrase(factOf(value), words, confidence)]),
    )
  return [
    ...entriesOf(audiences, 0.9, (value) => ({ kind: 'audience', value })),
    ...entriesOf(sources, 0.9, (value) => ({ kind: 'source', value })).map(asSpelt),
    // A light novel of a catalogue that has some is one.
    ...entriesOf(sourceNames, 0.5, (value) => ({ kind: 'source', value })).map(besideFacts),
    ...entriesOf(statuses, 0.8, (value) => ({ kind: 'status', value })),
    ...(['popular', 'obscure', 'acclaimed'] as const).flatMap((value) =>
      fame[value].map((words): PhraseEntry => [words, phrase({ kind: 'fame', value }, words, 0.6)]),
    ),
    ...eras.flatMap(({ phrases, from, to, confidence }) =>
      phrases.map((words): PhraseEntry => [words, phrase(rangeOf(from, to), words, confidence)]),
    ),
    ...lengths.flatMap(({ phrases, unit, min, max, ofFilms, isWhole, confidence }) => {
      const bounds = {
        ...boundsOf({ min, max }),
        ...(ofFilms && { ofFilms: boundsOf(ofFilms) }),
        ...(isWhole && { isWhole }),
      }
      // Books have no episodes: what is short or long is so in volumes.
      const certainty = areBooks && unit !== 'volumes' ? absentConfidence : confidence
      return phrases.map((words): PhraseEntry => {
        const isOfSeries = unit === 'episodeMinutes' && /\bepisodes$/.test(words)
        const fact = { kind: 'length' as const, unit, ...(isOfSeries && { isOfSeries }), ...bounds }
        return [words, phrase(fact, words, certainty)]
      })
    }),
  ]
}

/** `originals` are of no source, and what is `original` is new. */
const asSpelt = ([words, value]: PhraseEntry): PhraseEntry => [
  words,
  { ...value, spelt: words.includes(' ') ? undefined : words },
]

const besideFacts = ([words, value]: PhraseEntry): PhraseEntry => [
  words,
  { ...value, needsFacts: true },
]

/** `ghibli` is no other word, as `wit` is. */
const minAliasLength = 6

function makers(
  { studioAliases, filler }: Lexicon,
  { studios, people }: DatasetNames,
  isEverydayWord: (stem: string) => boolean,
): PhraseEntry[] {
  const known = new Map(studios.map((studio) => [studio.toLowerCase(), studio]))
  const everyday = new Set(filler.map(keyOf))
  // `feels like` does not name the studio feel, nor an arm the studio Arms.
  const studioEntry = (words: string, value: string): PhraseEntry => {
    const [word, ...others] = queryWords(words)
    const spelt = others.length === 0 ? word?.folded : undefined
    const confidence = spelt === undefined ? 0.9 : oneWordConfidence
    const isEveryday = everyday.has(keyOf(words))
    return [words, { ...phrase({ kind: 'studio', value }, value, confidence, isEveryday), spelt }]
  }
  const calledStudio = (words: string, value: string): PhraseEntry[] => {
    const name = words.replaceAll(/^studio\s+|\s+studios?$/gi, '')
    const studio = phrase({ kind: 'studio', value }, value, 0.9)
    return [`studio ${name}`, `${name} studio`].map((called) => [called, studio])
  }
  const aliasEntry = (words: string, value: string): PhraseEntry =>
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
      namesOf(person, isEverydayWord).map(({ words, needsMaker }): PhraseEntry => [
        words,
        phrase({ kind: 'person', value: person }, person, 0.9, needsMaker),
      ]),
    ),
  ]
}
