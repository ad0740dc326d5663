/** The words that queries are read with, as tables. */
import { createFactPhrases, type DatasetNames, type FactPhrases } from './fact-phrases.js'
import { lackingPhrases } from './lacking-phrases.js'
import { type Lexicon, lexiconPhrases, type TagWords, vocabularyWords } from './lexicon.js'
import { type EverydayName, magazinePhrases } from './magazine-names.js'
import { createPhraseTable, type PhraseTable } from './phrase-table.js'
import type { Fact, MakerEra, MakersRole } from './interpretation.js'
import { stemsOf } from './query-words.js'
import { type CorrectWords, createSpelling } from './spelling.js'
import { createWordLists, type WordLists } from './word-lists.js'

type Topic = Extract<Fact, { readonly kind: 'topic' }>

export interface QueryTables {
  readonly facts: FactPhrases
  readonly likes: PhraseTable<true>
  /** What stands behind a work: `Naruto vibes`. */
  readonly likeSuffixes: PhraseTable<true>
  /** What somebody says of works that they know: `watched`. */
  readonly seen: PhraseTable<true>
  /** Phrases for makers with the role that they tell, if any. */
  readonly makers: PhraseTable<MakersRole | 'any'>
  /** Roles alone, which stand behind a work: `naruto author`. */
  readonly makerRoles: PhraseTable<MakersRole | 'any'>
  /** What stands before a work and a role: `by the`. */
  readonly makerLeads: PhraseTable<true>
  /** What asks for makers at the beginning of a query: `who wrote`. */
  readonly makerQuestions: PhraseTable<MakersRole | 'any'>
  /** Magazines whose names are everyday words. */
  readonly magazines: PhraseTable<EverydayName>
  /** What stands before a magazine: `serialized in`. */
  readonly magazineLeads: PhraseTable<true>
  /** Which half of somebody's works is meant: `early`. */
  readonly makerEras: PhraseTable<MakerEra>
  readonly turns: PhraseTable<true>
  /** What tells how a work would have to be other: `if`. */
  readonly alters: PhraseTable<true>
  /** What says that nothing like a work is wished: `the opposite of`. */
  readonly opposites: PhraseTable<true>
  readonly joins: PhraseTable<true>
  /** What makes one of two works: `X meets Y`. */
  readonly crosses: PhraseTable<true>
  readonly filler: PhraseTable<true>
  /** What is meant, too, where a phrase is excluded. */
  readonly excludedTopics: PhraseTable<Pick<Topic, 'genres' | 'tags'>>
  readonly negations: PhraseTable<true>
  readonly negationGap: PhraseTable<true>
  /** What excludes what is known alone: `nobody has`. */
  readonly nobody: PhraseTable<true>
  /** What says that somebody does not do what follows: `nobody`. */
  readonly undone: PhraseTable<true>
  /** What says that there is little of what follows: `low`. */
  readonly scarce: PhraseTable<true>
  /** What belongs to an excluded word before it: the `clubs` of `no school clubs`. */
  readonly excludedHeads: PhraseTable<true>
  /** What no tag tells of a work: `boring`. */
  readonly faults: PhraseTable<true>
  /** What tells the kind of a genre that follows: `high school`. */
  readonly kindsOfHeads: PhraseTable<true>
  readonly headsOfKinds: PhraseTable<true>
  /** What denies works and their types alone: `it wasnt`. */
  readonly pointed: PhraseTable<true>
  readonly otherMakers: PhraseTable<true>
  readonly weighed: PhraseTable<true>
  readonly exceptions: PhraseTable<true>
  readonly dislikes: PhraseTable<true>
  /** What somebody says of works that they need not be told: `already seen`. */
  readonly alreadySeen: PhraseTable<true>
  readonly tooMuch: PhraseTable<true>
  /** What says of the work before it that it is bad: `sucks`. */
  readonly verdicts: PhraseTable<true>
  readonly partsOfWorks: PhraseTable<true>
  /** What says of the work before it that it is not meant: `but no`. */
  readonly denied: PhraseTable<true>
  readonly takesBack: PhraseTable<true>
  readonly praises: PhraseTable<true>
  readonly lacks: PhraseTable<true>
  readonly bearers: PhraseTable<true>
  readonly makerWords: PhraseTable<true>
  readonly around: PhraseTable<true>
  /** What is said of the parts of a series: `last arc of`. */
  readonly partsOfSeries: PhraseTable<true>
  /** What is said of series, and of much else: `first`. */
  readonly aroundSeries: PhraseTable<true>
  /** What stands for words of a title that are forgotten. */
  readonly forgotten: PhraseTable<true>
  readonly wishes: PhraseTable<true>
  /** What else asks for something, where a work is named: `another`. */
  readonly asks: PhraseTable<true>
  /** What asks for the name of a work. */
  readonly asksName: PhraseTable<true>
  readonly wordLists: WordLists
  /** Stems of the words that the vocabulary is written in, and of other languages: everyday words. */
  readonly known: ReadonlySet<string>
  readonly correct: CorrectWords
}

export function createTables(
  lexicon: Lexicon,
  tags: readonly TagWords[],
  names: DatasetNames,
): QueryTables {
  const known = vocabularyWords(tags)
  const { wordLists, ...lists } = lexicon
  const phrases = lexiconPhrases({ ...lists, magazines: {}, alike: [] }).map(stemsOf)
  const everyday = new Set([...known, ...phrases.flat()])
  const alone = new Set([...known, ...phrases.filter(({ length }) => length === 1).flat()])
  const called = [...Object.entries(lexicon.magazines).flat(2), ...names.studios, ...names.people]
  const magazines = magazinePhrases(lexicon, names.magazines ?? [], everyday)
  const others = [...magazines.sure, ...lackingPhrases(lexicon)]
  const facts = createFactPhrases(lexicon, tags, names, others, (stem) => alone.has(stem))
  return {
    facts,
    magazines: createPhraseTable(magazines.everyday),
    magazineLeads: setOf(lexicon.magazineLeads),
    likes: setOf(lexicon.likePrefixes),
    likeSuffixes: setOf(lexicon.likeSuffixes),
    seen: setOf(lexicon.seen),
    crosses: setOf(lexicon.crosses),
    makers: createPhraseTable([
      ...makersPhrases(lexicon.makers),
      ...personPhrases([...by, ...same], lexicon.makerPersons, [['behind', 'creator'], ...deeds]),
    ]),
    makerRoles: createPhraseTable([
      ...byRole(lexicon.makers, (who) => [who]),
      ...lexicon.makerPersons
        .filter((who) => lexicon.makers.any.includes(who))
        .map((who) => [who, 'creator'] as const),
    ]),
    makerLeads: setOf(lexicon.makerLeads),
    makerQuestions: createPhraseTable([
      ...byRole(lexicon.makerQuestions, (asked) => [asked]),
      // `the man behind monster` may be somebody in it.
      ...personPhrases(['', 'the'], lexicon.makerPersons, deeds),
    ]),
    makerEras: createPhraseTable(
      (['early', 'late'] as const).flatMap((era) =>
        lexicon.makerEras[era].map((words): [string, MakerEra] => [words, era]),
      ),
    ),
    turns: setOf(lexicon.turns),
    alters: setOf(lexicon.alters),
    opposites: setOf(lexicon.opposites),
    joins: setOf(lexicon.joins),
    filler: setOf([...lexicon.filler, ...lexicon.otherMakers]),
    excludedTopics: createPhraseTable(excludedTopics(lexicon)),
    nobody: setOf(lexicon.nobody),
    undone: setOf(lexicon.undone),
    scarce: setOf(lexicon.scarce),
    excludedHeads: setOf(lexicon.excludedHeads),
    faults: setOf(lexicon.faults),
    kindsOfHeads: setOf(lexicon.kindsOfHeads),
    headsOfKinds: setOf(lexicon.headsOfKinds),
    pointed: setOf(lexicon.pointed),
    otherMakers: setOf(lexicon.otherMakers),
    weighed: setOf(lexicon.weighed),
    negations: setOf(lexicon.negations),
    negationGap: setOf(lexicon.negationGap),
    exceptions: setOf([...lexicon.exceptions, ...lexicon.opposites]),
    dislikes: setOf(lexicon.dislikes),
    alreadySeen: setOf(lexicon.alreadySeen),
    tooMuch: setOf(lexicon.tooMuch),
    verdicts: setOf(lexicon.verdicts),
    partsOfWorks: setOf(lexicon.partsOfWorks),
    denied: setOf(lexicon.denied),
    takesBack: setOf(lexicon.takesBack),
    praises: setOf(lexicon.praises),
    lacks: setOf(lexicon.lacks),
    bearers: setOf(lexicon.bearers),
    makerWords: setOf(lexicon.makerWords),
    around: setOf(lexicon.aroundTitles),
    partsOfSeries: setOf(lexicon.partsOfSeries),
    aroundSeries: setOf(lexicon.aroundSeries),
    forgotten: setOf(lexicon.forgotten),
    wishes: setOf(lexicon.wishes),
    asks: setOf(lexicon.asks),
    asksName: setOf(lexicon.asksName),
    wordLists: createWordLists(wordLists),
    known: new Set([...known, ...[...lexicon.foreign, ...lexicon.faults].flatMap(stemsOf)]),
    correct: createSpelling(facts.plainWords, [...everyday, ...called.flatMap(stemsOf)]),
  }
}

const excludedTopics = ({
  excludedTags,
  excludedGenres,
}: Lexicon): (readonly [string, Pick<Topic, 'genres' | 'tags'>])[] => [
  ...Object.entries(excludedTags).map(([words, tags]) => [words, { genres: [], tags }] as const),
  ...Object.entries(excludedGenres).flatMap(([genre, phrases]) =>
    phrases.map((words) => [words, { genres: [genre], tags: [] }] as const),
  ),
]

type MakersPhrases = readonly (readonly [string, MakersRole | 'any'])[]

const byRole = (
  roles: Lexicon['makers'],
  phrasesOf: (who: string, role: MakersRole | 'any') => readonly string[],
): MakersPhrases =>
  (['any', 'studio', 'author', 'creator', 'director'] as const).flatMap((role) =>
    roles[role].flatMap((who) => phrasesOf(who, role).map((words) => [words, role] as const)),
  )

/** `from the author of`, `by the same author as`, `the studio that made`; but `the crew of X` is in it. */
const makersPhrases = (roles: Lexicon['makers']): MakersPhrases =>
  byRole(roles, (who, role) => [
    ...by.flatMap((from) => ['of', ...did].map((of) => `${from} ${who} ${of}`)),
    ...did.map((of) => `the ${who} ${of}`),
    ...(role === 'any' ? [] : [`the ${who} of`, `${who} of`]),
    ...same.map((lead) => `${lead} ${who} as`),
  ])
const by = ['by the', 'from the', 'made by the']
const same = ['same', 'the same', ...by.map((from) => `${from} same`)]
const did = ['behind', 'that made', 'who made', 'that did', 'who did', 'that wrote', 'who wrote']

/** `by the guy who made`, `same guy who made`; who is told by no role is a creator. */
const personPhrases = (
  leads: readonly string[],
  persons: readonly string[],
  doings: readonly Doing[],
): MakersPhrases =>
  leads.flatMap((lead) =>
    persons.flatMap((who) =>
      doings.flatMap(([did, role]) =>
        ['', 'that', 'who'].map((that) => [`${lead} ${who} ${that} ${did}`, role] as const),
      ),
    ),
  )
type Doing = readonly [string, MakersRole]
const deeds: readonly Doing[] = [
  ...['made', 'did', 'created'].map((did) => [did, 'creator'] as const),
  ...['wrote', 'drew'].map((did) => [did, 'author'] as const),
  ['directed', 'director'],
]

const setOf = (phrases: readonly string[]) =>
  createPhraseTable(phrases.map((phrase): [string, true] => [phrase, true]))
