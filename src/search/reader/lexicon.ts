/**
 * The words that the reader of queries knows: data/query/en.json, which an operator may edit, and the vocabulary of
 * tags (data/works/tags.json). docs/reader.md says how to add to them.
 */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

export const phrases = v.array(v.pipe(v.string(), v.trim(), v.nonEmpty()))
export const named = v.record(v.string(), phrases)
const confidence = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const bound = v.optional(v.pipe(v.number(), v.integer()))

/** Words around a title or a fact that say what it is to the person: one of the classes of the chooser's features. */
export const wordClasses = [
  'like',
  'liked',
  'praise',
  'seen',
  'known',
  'besides',
  'disliked',
  'not',
  'less',
  'by',
  'makersOf',
  'but',
  'optional',
  'want',
  'question',
  'filler',
  'story',
  'cross',
] as const
export type WordClass = (typeof wordClasses)[number]

const lexiconFile = v.strictObject({
  types: named,
  /** Words for several types at once. */
  forms: v.array(v.strictObject({ phrases, values: phrases, confidence })),
  audiences: named,
  sources: named,
  /** Names of sources that may also be the type of a work: `light novel`. */
  sourceNames: named,
  statuses: named,
  eras: v.array(v.strictObject({ phrases, from: bound, to: bound, confidence })),
  lengths: v.array(
    v.strictObject({
      phrases,
      unit: v.picklist(['episodes', 'volumes', 'chapters', 'minutes', 'episodeMinutes']),
      min: bound,
      max: bound,
      /** What the phrases mean of a film, in minutes. */
      ofFilms: v.optional(v.strictObject({ min: bound, max: bound })),
      /** Whether they mean works that nothing continues. */
      isWhole: v.optional(v.boolean()),
      confidence,
    }),
  ),
  fame: v.strictObject({ popular: phrases, obscure: phrases, acclaimed: phrases }),
  genres: named,
  /** Words of queries for tags, in addition to the tags' own names and synonyms. */
  tags: named,
  /** Tags that a phrase means all at once. */
  together: named,
  /** Tags whose name joins two words that mean it only together: `black-and-white`. */
  pairs: phrases,
  /** Words for one of several things that a tag covers: works whose texts have them come first. */
  narrow: phrases,
  /** Plurals that mean something else than their singular. */
  plurals: phrases,
  /** Phrases that say that a work lacks a tag: `nobody dies`. */
  lacking: named,
  /** Tags and genres that a phrase means, too, where it is refused. */
  excludedTags: named,
  excludedGenres: named,
  studioAliases: named,
  /** What magazines are usually called; of several that are called alike, the first is the likeliest. */
  magazines: named,
  /** Phrases that people take for one another in titles. */
  alike: v.array(phrases),
  /** Words that look like a typo of another and are none. */
  spelt: phrases,
  classes: v.strictObject(
    Object.fromEntries(wordClasses.map((name) => [name, phrases])) as Record<
      WordClass,
      typeof phrases
    >,
  ),
  /** Phrases of sequels, films and specials, rarely of how a story begins. */
  continuations: phrases,
  patterns: v.array(
    v.strictObject({
      pattern: v.pipe(v.string(), v.nonEmpty()),
      means: v.string(),
    }),
  ),
})

const tagFile = v.array(
  v.object({
    tag: v.pipe(v.string(), v.nonEmpty()),
    name: v.pipe(v.string(), v.nonEmpty()),
    family: v.optional(v.string()),
    meaning: v.optional(v.string()),
    synonyms: phrases,
  }),
)

const synonymFile = v.record(v.string(), v.pipe(v.string(), v.nonEmpty()))

export type Lexicon = v.InferOutput<typeof lexiconFile>
export type TagWords = v.InferOutput<typeof tagFile>[number]

/** @throws v.ValiError where the file is no lexicon, or an Error of the file system */
export const readLexicon = (file: string | URL): Lexicon =>
  v.parse(lexiconFile, JSON.parse(readFileSync(file, 'utf8')))

/** @throws v.ValiError where the file is no vocabulary, or an Error of the file system */
export const readTagWords = (file: string | URL): readonly TagWords[] =>
  v.parse(tagFile, JSON.parse(readFileSync(file, 'utf8')))

/**
 * The synonyms of single words: data/query/synonyms.json, which tools/works/synonyms.js writes.
 * @throws v.ValiError where the file has no such lists, or an Error of the file system
 */
export const readSynonyms = (file: string | URL): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(v.parse(synonymFile, JSON.parse(readFileSync(file, 'utf8')))).map(
      ([word, others]) => [word, others.split(' ')],
    ),
  )
