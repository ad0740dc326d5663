/**
 * The words that the interpretation of queries knows: data/query/en.json, which an operator may edit, and the
 * vocabulary of tags (data/works/tags.json).
 */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { stemsOf } from './query-words.js'
import { wordListsFile } from './word-lists.js'

const phrases = v.array(v.pipe(v.string(), v.trim(), v.nonEmpty()))
const named = v.record(v.string(), phrases)
const confidence = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const byRole = v.strictObject({
  any: phrases,
  studio: phrases,
  author: phrases,
  creator: phrases,
  director: phrases,
})
const bound = v.optional(v.pipe(v.number(), v.integer()))

const lexiconFile = v.strictObject({
  types: named,
  /** Words for several types at once. */
  forms: v.optional(v.array(v.strictObject({ phrases, values: phrases, confidence })), []),
  audiences: named,
  sources: named,
  /** What says the source where nothing but other facts stand beside it: `light novel anime`. */
  sourceNames: v.optional(named, {}),
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
  /** Words of queries for tags, beside the tags' own names and synonyms. */
  tags: v.optional(named, {}),
  /** Tags that a phrase means all at once: a programmer works in an office, on games. */
  together: v.optional(named, {}),
  /** Tags whose name joins two things of which neither means it alone, as `black-and-white`. */
  pairs: v.optional(phrases, []),
  /** Words for one of several things that a tag stands for, as `mermaid` is one of fairy tales: texts that have them come first. */
  narrow: v.optional(phrases, []),
  studioAliases: named,
  /** Tags that a phrase means, too, where it is excluded: who wants no high school wants no boarding school. */
  excludedTags: v.optional(named, {}),
  /** Genres that a phrase means, too, where it is excluded: who wants no fights wants no Action. */
  excludedGenres: v.optional(named, {}),
  /** What magazines are usually called; of several that are called alike, the first is meant most. */
  magazines: v.optional(named, {}),
  /** What stands before a magazine, whatever it is called: `serialized in`. */
  magazineLeads: v.optional(phrases, []),
  negations: phrases,
  negationGap: phrases,
  /** Negations of works and their types alone: `it wasnt`. */
  pointed: v.optional(phrases, []),
  /** What excludes only where something is asked for: a story has people who live apart from others. */
  exceptions: v.optional(phrases, []),
  /** What says that a work lacks a tag: `nobody dies`. */
  lacking: v.optional(named, {}),
  /** What says that nobody in a work has what follows: `nobody has superpowers`. */
  nobody: v.optional(phrases, []),
  /** What says that somebody does not do what follows: `nobody fights`, `the animal doesnt talk`. */
  undone: v.optional(phrases, []),
  /** What says that there is little of what follows: `low drama`. */
  scarce: v.optional(phrases, []),
  /** What is wrong with works or those in them, and no tag tells: the boring of `not boring fantasy`. */
  faults: v.optional(phrases, []),
  /** What tells the kind of a genre that follows it, and is excluded with it: the school of `no school romance`. */
  kindsOfHeads: v.optional(phrases, []),
  /** The genres that are excluded so. */
  headsOfKinds: v.optional(phrases, []),
  /** What makes a phrase of an excluded word before it, and is not wished by itself: the clubs of `no school clubs`. */
  excludedHeads: v.optional(phrases, []),
  /** What says that whoever is named before made none of what is wished: `by different authors`. */
  otherMakers: v.optional(phrases, []),
  /** What works are weighed by, beside their subjects: `plot over fights`. */
  weighed: v.optional(phrases, []),
  /** What somebody who asks says of works they do not want: `sick of`. */
  dislikes: v.optional(phrases, []),
  /** What they say of works that they need not be told. */
  alreadySeen: v.optional(phrases, []),
  /** What follows that of which there was too much. */
  tooMuch: v.optional(phrases, []),
  /** What says of a work, and hardly of what works are about, that it is bad: `X sucks`. */
  verdicts: v.optional(phrases, []),
  /** What is rated, and no work: the animation of `animation 10/10`. */
  partsOfWorks: v.optional(phrases, []),
  /** What follows a work that is not the one that is meant: `thought it was X but no`. */
  denied: v.optional(phrases, []),
  /** What takes back the clause before: `no wait`. */
  takesBack: v.optional(phrases, []),
  /** What begins a wish after `and`, where an exclusion stands before it. */
  praises: v.optional(phrases, []),
  /** Of the negations, those that also say what somebody lacks: `a boy without magic`. */
  lacks: v.optional(phrases, []),
  /** People and places that may lack something. */
  bearers: v.optional(phrases, []),
  likePrefixes: phrases,
  /** What stands behind a work that is named as an example: `Naruto vibes`. */
  likeSuffixes: v.optional(phrases, []),
  /** What somebody says of works that they know; only titles that are spelt so follow: `watched Naruto`. */
  seen: v.optional(phrases, []),
  /** What makes one of two works: `Naruto meets Bleach`. */
  crosses: v.optional(phrases, []),
  /** Words for those who made a work, as in `by the makers of X`, by their role. */
  makers: byRole,
  /** Words for one of them, of whom what follows tells the role: `by the guy who wrote X`. */
  makerPersons: v.optional(phrases, []),
  /** What asks for them at the beginning of a query: `who wrote`. */
  makerQuestions: v.optional(byRole, {
    any: [],
    studio: [],
    author: [],
    creator: [],
    director: [],
  }),
  /** What stands before a work that tells who is meant: `by the Monster guys`. */
  makerLeads: v.optional(phrases, []),
  /** What tells which half of somebody's works is meant: `early hosoda`. */
  makerEras: v.optional(v.strictObject({ early: phrases, late: phrases }), { early: [], late: [] }),
  turns: phrases,
  /** What follows a work that is named as an example, whatever is told behind it: `Death Note if Light were a girl`. */
  alters: v.optional(phrases, []),
  /** What stands before a work of whose opposite something is wished. */
  opposites: v.optional(phrases, []),
  joins: phrases,
  makerWords: phrases,
  /** What is typed before or after a title, and says only what it is: `berserk manga`, `naruto watch order`. */
  aroundTitles: phrases,
  /** What is said of the parts of a series, or of the order in which to see them: `last arc of bleach`. */
  partsOfSeries: v.optional(phrases, []),
  /** What is said of series, and of much else: `first`, `new to`. */
  aroundSeries: v.optional(phrases, []),
  /** What stands for words of a title that are forgotten: `something something`. */
  forgotten: v.optional(phrases, []),
  /** Phrases that people take one for another where they tell a title: `city` and `town`. */
  alike: v.optional(v.array(phrases), []),
  /** What is said of sequels, films and specials, and hardly of how a story begins. */
  continuations: v.optional(phrases, []),
  /** What somebody says who asks for something, in however many words. */
  wishes: v.optional(phrases, []),
  /** Words that ask for something where a well-known work is named: `another`. */
  asks: v.optional(phrases, []),
  /** What asks for the name of a work: `what is it called`. */
  asksName: v.optional(phrases, []),
  filler: phrases,
  /** Words that look like a typo of another and are none. */
  spelt: v.optional(phrases, []),
  /** Plurals that mean something else than their singular: `sweets` are food. */
  plurals: v.optional(phrases, []),
  /** Everyday words of other languages, which name no title among others: `pero`. */
  foreign: v.optional(phrases, []),
  wordLists: v.optional(wordListsFile, {}),
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

/** The stems of all words that the vocabulary of tags is written in. */
export const vocabularyWords = (tags: readonly TagWords[]): readonly string[] =>
  tags.flatMap(({ name, meaning = '', synonyms }) =>
    stemsOf([name, meaning, ...synonyms].join(' ')),
  )

/** Every phrase of a lexicon: what its lists have, and the keys that stand for lists of tags. Lists of words are none. */
export const lexiconPhrases = ({
  together,
  excludedTags,
  ...lists
}: Omit<Lexicon, 'wordLists'>): readonly string[] => [
  ...Object.keys(together),
  ...Object.keys(excludedTags),
  ...stringsOf(lists),
]

const stringsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}
