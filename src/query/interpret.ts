/**
 * Reads a query: which title it is, which works it names, which facts it wishes and which it excludes, and what is
 * left as a description. Every reading is soft: it weighs, it hides nothing.
 */
import { type AskedQuery, type PartlyRead, spanOf, unread } from './asked-query.js'
import { boundedTitles } from './bounded-titles.js'
import { isCross } from './cross.js'
import { withErasOfMakers } from './eras-of-makers.js'
import type { DatasetNames } from './fact-phrases.js'
import type { Interpretation, Span, TitleLookup } from './interpretation.js'
import type { Lexicon, TagWords } from './lexicon.js'
import { readNamedSeries } from './named-series.js'
import { haveAny } from './phrase-table.js'
import { createTables, type QueryTables } from './query-tables.js'
import { readFacts } from './read-facts.js'
import { readReferences, referencesOf } from './read-references.js'
import { nearTitle, partOfTitle, sameTitle, type TitleReading } from './read-title.js'
import { readWhole } from './read-whole.js'
import type { Reference } from './references.js'
import { describe, fillerOf } from './rest-of-query.js'
import { settled } from './settled-readings.js'
import { withoutTakenBack } from './taken-back.js'
import { readMentions, withCharacters, withRareWords, withWordsOfTitles } from './titles-inside.js'
import { restOf } from './told-title.js'
import { anyGoodWork } from './wish.js'

/** @param ignored spans of the query that are no readings: their words stay text; the whole query is no title */
export type Interpret = (query: string, ignored?: readonly Span[]) => Interpretation

export interface InterpreterOptions {
  readonly lexicon: Lexicon
  readonly tags: readonly TagWords[]
  readonly names: DatasetNames
  readonly titles: TitleLookup
}

export function createInterpreter({ lexicon, tags, names, titles }: InterpreterOptions): Interpret {
  const tables = createTables(lexicon, tags, names)
  return (typed, ignored = []) => {
    // On some keyboards an accent is where the apostrophe is: `don´t`.
    const query = typed.replaceAll(/[´`]/g, "'")
    const kept = withoutTakenBack(query, tables)
    const read = interpret(kept, tables, boundedTitles(titles), ignored)
    return kept === query ? read : { ...read, kept: kept.trim() }
  }
}

function interpret(
  query: string,
  tables: QueryTables,
  titles: TitleLookup,
  ignored: readonly Span[],
): Interpretation {
  const { words, isWish, title, characters } = readWhole({ query, tables, titles, ignored })
  const isFiller = fillerOf(words, tables.filler)
  const asked: AskedQuery = { query, words, isFiller, isWish, tables, titles, ignored }
  // Who types a title as it is names no work inside of it.
  const isSame = title !== undefined && title.confidence > sameTitle
  const references = isSame ? [] : referencesOf(asked).filter(isOther(asked, title))
  const namesNone = title === undefined && references.length === 0
  // Nobody who types a whole title means its words.
  const isTitle = words.length > 1 && title !== undefined && title.confidence > nearTitle
  if (isTitle && references.length === 0)
    return { readings: [title], text: restOf(query, title), explained: 0 }

  const named = readNames(asked, references, title)
  const withFacts = withErasOfMakers(asked, readFacts(asked, named, title !== undefined))
  const withNames = namesNone ? withCharacters(asked, withFacts, characters) : withFacts
  const withTitles = withRareWords(asked, withNames)
  const { readings, uses } = withWordsOfTitles(asked, withAnyGoodWork(asked, withTitles))

  const told = settled(asked, readings)
  return { readings: told, ...describe(asked, uses), isCross: isCross(words, told, tables) }
}

/** Who types nearly a title, and asks for nothing that is like it, wants the work: `hidan no aria scarlet ammo`. */
const isOther =
  ({ words, tables }: AskedQuery, title: TitleReading | undefined) =>
  ({ kind, rows }: Reference): boolean => {
    const { likes, likeSuffixes, seen, wishes } = tables
    const asksForOther = () => haveAny(words, likes, likeSuffixes, seen, wishes)
    return (
      kind !== 'like' || title?.rows.some((row) => rows.includes(row)) !== true || asksForOther()
    )
  }

/** The works that a query names, else the series of which it wants some, else the title that it is, else the titles that it has inside. */
function readNames(
  asked: AskedQuery,
  references: readonly Reference[],
  title: TitleReading | undefined,
): PartlyRead {
  if (references.length > 0) return readReferences(asked, references)
  const series = (title?.confidence ?? 0) < partOfTitle ? readNamedSeries(asked) : undefined
  if (series !== undefined) return series
  return title === undefined ? readMentions(asked) : { ...unread(asked), readings: [title] }
}

/** A query of several words that say nothing, or what works shall not be, wishes for any good work: `no trash`. */
function withAnyGoodWork(asked: AskedQuery, read: PartlyRead): PartlyRead {
  const { query, words, isFiller, ignored } = asked
  const isNothing = read.readings.length === 0 && ignored.length === 0 && words.length > 1
  const saysNothing = isFiller.every((is, at) => is || read.uses[at] === 'excluded')
  if (!isNothing || !saysNothing) return read
  const readings = [anyGoodWork(spanOf(asked, 0, words.length), query)]
  return { readings, uses: words.map(() => 'fact') }
}
