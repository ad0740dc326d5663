/** Lists of single words of the lexicon by which a rule tells what is said. No typo of them is looked for. */
import * as v from 'valibot'
import { foldedOf, stemsOf } from './query-words.js'

const word = v.pipe(v.string(), v.trim(), v.nonEmpty())
const list = v.optional(v.array(word), [])
const named = v.optional(v.record(v.string(), v.array(word)), {})

export const wordListsFile = v.strictObject({
  /** Young relatives of whoever asks, behind their age: `8 year old daughter`. */
  children: list,
  /** Other relatives, who may be told of between `my` and an age: `my little brother is 8`. */
  relatives: list,
  /** What people are called whose age tells that they are grown up, by the tag that says so: `woman over 30`. */
  adults: named,
  /** Where people live together, of whom a work tells: `an institute for kids` is no work for kids. */
  institutions: list,
  /** What is fought over something: `war over water` is no wish for less water. */
  disputes: list,
  /** What asks for something at the beginning of a clause: `tired of isekai, want a hero who loses`. */
  requests: list,
  /** What people do, and works do not: `kaguya wants me to confess`. */
  deedsOfPeople: list,
  /** What is a part of a work, of which more is told behind its title: `naruto season one was great`. */
  partNouns: list,
  /** What parts of a series are called, with their types where the word tells them: `naruto movie where`. */
  toldParts: named,
  /** Of these, what is said of nothing but series: `demon slayer season with the train`. */
  toldPartsOfSeries: list,
  /** What somebody has done with a work: `just finished a heavy anime, something light`. */
  finished: list,
  /** What a work without a name is called there. */
  finishedWorks: list,
  /** What asks for more of it: `just finished a sad anime, want another`. */
  moreOfIt: list,
})

type File = v.InferOutput<typeof wordListsFile>

/** The words of each list as they are compared; nouns stand in the singular. */
export interface WordLists extends Readonly<
  Record<Exclude<keyof File, 'adults' | 'toldParts'>, ReadonlySet<string>>
> {
  /** The tag by the stem of a word. */
  readonly adults: ReadonlyMap<string, string>
  /** The types by the stem of a word. */
  readonly toldParts: ReadonlyMap<string, readonly string[]>
}

/** Nouns are compared without plural endings, all else as it is typed. */
export const createWordLists = (file: File): WordLists => ({
  children: stems(file.children),
  relatives: stems(file.relatives),
  adults: new Map(
    Object.entries(file.adults).flatMap(([tag, words]) =>
      words.flatMap(stemsOf).map((stem) => [stem, tag] as const),
    ),
  ),
  institutions: folded(file.institutions),
  disputes: stems(file.disputes),
  requests: folded(file.requests),
  deedsOfPeople: folded(file.deedsOfPeople),
  partNouns: stems(file.partNouns),
  toldParts: new Map(
    Object.entries(file.toldParts).map(([noun, types]) => [stemsOf(noun).join(' '), types]),
  ),
  toldPartsOfSeries: stems(file.toldPartsOfSeries),
  finished: folded(file.finished),
  finishedWorks: folded(file.finishedWorks),
  moreOfIt: folded(file.moreOfIt),
})

const stems = (words: readonly string[]) => new Set(words.flatMap(stemsOf))
const folded = (words: readonly string[]) => new Set(words.flatMap(foldedOf))
