/**
 * Reads a query: which title it is, which works it names, which facts it wishes and which it excludes, and what is
 * left as a description. Every reading is soft: it weighs, it hides nothing.
 */
import { choosePhrase } from './choose-phrase.js'
import { titleAfter, withoutExcluded } from './excluded-title.js'
import type { DatasetNames, FactPhrases } from './fact-phrases.js'
import type { Fact, Interpretation, Reading, Span, TitleLookup } from './interpretation.js'
import type { Lexicon, TagWords } from './lexicon.js'
import { withLengthsOfFilms } from './lengths.js'
import { numericFactAt } from './numeric-facts.js'
import { createTables, type QueryTables } from './query-tables.js'
import { positivesOf, queryWords } from './query-words.js'
import {
  mentionReading,
  nearTitle,
  partOfTitle,
  readNamed,
  readRareWords,
  readTitle,
  sameTitle,
} from './read-title.js'
import { findReferences } from './references.js'
import { describe, fillerOf, type WordUse } from './rest-of-query.js'
import { isWishOf, maxWishWords, storyWords } from './wish.js'

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
  return (query, ignored = []) => interpret(query, tables, titles, ignored)
}

function interpret(
  query: string,
  tables: QueryTables,
  titles: TitleLookup,
  ignored: readonly Span[],
): Interpretation {
  const words = queryWords(query)
  const isWish = isWishOf(words, tables.wishes)
  const uses: WordUse[] = words.map(() => 'text')
  const readings: Reading[] = []
  const use = (begin: number, end: number, as: WordUse) => uses.fill(as, begin, end)
  const spanOf = (begin: number, end: number) => ({
    begin: words[begin]?.begin ?? 0,
    end: words[end - 1]?.end ?? query.length,
  })

  const isIgnored = ({ begin, end }: Span) =>
    ignored.some((span) => span.begin < end && begin < span.end)
  const noTitle = ignored.some(({ begin, end }) => begin === 0 && end >= query.length)
  // Who types so many words types a title only as it is written.
  const matchTitle = words.length > maxWishWords ? titles.exact : titles.match
  const isFact = (begin: number, end: number) =>
    tables.facts.longestAt(words, begin)?.length === end - begin
  const read = noTitle ? undefined : readTitle(query, matchTitle)
  // `volleyball` is a subject, not the title that has it among other words.
  const isSubject = isFact(0, words.length) && (read?.confidence ?? 0) < sameTitle
  const whole = isSubject ? undefined : read
  const isSame = whole !== undefined && whole.confidence > sameTitle
  const references = isSame
    ? []
    : findReferences(query, words, { ...tables, isFact }, titles, isWish)
  if (whole !== undefined && references.length === 0) readings.push(whole)
  // Nobody who types a whole title means its words.
  const isTitle = whole !== undefined && words.length > 1 && whole.confidence > nearTitle
  if (isTitle && references.length === 0) return { readings, text: query, explained: 0 }

  if (whole === undefined && references.length === 0 && words.length <= maxWishWords) {
    const named = readNamed(query, words, titles, isFact)
    const mentions = named ? [named] : titles.mentions(query).map(mentionReading)
    readings.push(...mentions.filter((mention) => !isIgnored(mention)))
  }
  for (const reference of references) {
    const { kind, begin, end, title, rows, similarity } = reference
    const span = spanOf(begin, end)
    if (isIgnored(span)) continue
    readings.push({ kind, ...span, label: title, confidence: similarity, excluded: false, rows })
    use(begin, end, 'reference')
  }
  for (let position = 0; position < words.length;) {
    position = isFree(position) ? readAt(position) : position + 1
  }
  // In a long story, a golden boy is a chance.
  const namesNone = !readings.some(
    ({ kind, excluded }) => !excluded && (kind === 'title' || kind === 'like'),
  )
  if (namesNone && words.length <= maxWishWords) {
    const isFiller = fillerOf(words, tables.filler)
    const isLeft = (position: number) =>
      (uses[position] === 'text' || isPartOfTopic(position)) &&
      !isFiller[position] &&
      !tables.known.has(words[position]?.stem ?? '')
    readings.push(...readRareWords(words, isLeft, titles))
  }
  if (readings.every(({ kind, excluded }) => kind === 'title' && !excluded)) {
    readings.filter(({ confidence }) => confidence >= partOfTitle).forEach(explainBy)
  }
  const told = withLengthsOfFilms(withoutExcluded(readings)).toSorted(
    (one, other) => one.begin - other.begin,
  )
  return { readings: told, ...describe(query, words, uses, tables.filler, isWish) }

  /** `turns into a spider` is a topic of which one word may be a title's. */
  function isPartOfTopic(position: number): boolean {
    const { begin = 0, end = 0 } = words[position] ?? {}
    return readings.some(
      (reading) =>
        reading.kind === 'topic' &&
        !reading.excluded &&
        reading.begin <= begin &&
        end <= reading.end &&
        reading.end - reading.begin > end - begin,
    )
  }

  /** The words of a title are read, and texts may have them. */
  function explainBy(span: Span): void {
    words.forEach(({ begin, end }, position) => {
      if (isFree(position) && span.begin <= begin && end <= span.end) uses[position] = 'topic'
    })
  }

  /** Whether a word may begin a reading. */
  function isFree(position: number): boolean {
    const word = words[position]
    return word !== undefined && uses[position] === 'text' && !isIgnored(word)
  }

  /** Reads what begins at a word. Returns the word that follows. */
  function readAt(position: number): number {
    const hit = factAt(position)
    // The `no` of a Japanese title excludes nothing.
    const negation = whole === undefined ? negationAt(position) : undefined
    if (negation === undefined || (hit !== undefined && hit.length > negation.length)) {
      if (hit === undefined) return position + 1
      return keep(position, position, hit, false)
    }
    return readExclusion(position, position + negation.length)
  }

  /** A phrase such as `no memory`, which begins in the negation and goes beyond it, is none. */
  function negationAt(position: number): { readonly length: number } | undefined {
    const negation = tables.negations.longestAt(words, position)
    for (let offset = 1; offset < (negation?.length ?? 0); offset += 1) {
      const inner = factAt(position + offset)
      if (inner !== undefined && offset + inner.length > (negation?.length ?? 0)) return undefined
    }
    return negation
  }

  /** What a negation excludes: facts joined by `or` and the like, else the words of its clause. */
  function readExclusion(begin: number, afterNegation: number): number {
    if (words[afterNegation - 1]?.endsClause) return afterNegation
    let position = afterNegation
    let hit = factAt(position)
    for (let gap = 0; hit === undefined && gap < maxGap; gap += 1) {
      if (tables.negationGap.longestAt(words, position) === undefined) break
      position += 1
      hit = factAt(position)
    }
    if (isWish) {
      const end = excludeTitle(begin, position, hit?.length ?? 0)
      if (end !== undefined) return end
    }
    if (hit === undefined) return isWish ? excludeWords(begin, position) : afterNegation
    let end = keep(begin, position, hit, true)
    for (;;) {
      const join = tables.joins.longestAt(words, end)
      const endsHere = words[end - 1]?.endsClause === true
      if (join === undefined || endsHere || isPraised(end + join.length)) return end
      const next = factAt(end + join.length)
      if (next === undefined) return isWish ? excludeWords(end, end + join.length) : end
      end = keep(end, end + join.length, next, true)
    }
  }

  /** `no fanservice and good fights` excludes no fights. */
  function isPraised(position: number): boolean {
    return tables.praises.longestAt(words, position) !== undefined
  }

  /** `not Naruto` excludes a work. */
  function excludeTitle(begin: number, from: number, factLength: number): number | undefined {
    const endsAt = (position: number) =>
      tables.turns.longestAt(words, position) ?? tables.joins.longestAt(words, position)
    const found = titleAfter(query, words, from, { titles, factLength, endsAt })
    if (found === undefined) return undefined
    const { end, title: label, rows, similarity: confidence } = found
    readings.push({ kind: 'title', ...spanOf(begin, end), label, confidence, excluded: true, rows })
    use(begin, end, 'excluded')
    return end
  }

  function excludeWords(begin: number, from: number): number {
    let end = from
    while (end < words.length && end - from < maxExcludedWords) {
      if (tables.turns.longestAt(words, end) ?? tables.joins.longestAt(words, end)) break
      end += 1
      if (words[end - 1]?.endsClause) break
    }
    // `a detective without memory solves crimes` excludes nothing: what is excluded ends its clause.
    const endsThere = end === words.length || words[end - 1]?.endsClause === true
    const turnsThere =
      (tables.turns.longestAt(words, end) ?? tables.joins.longestAt(words, end)) !== undefined
    if (end === from || !(endsThere || turnsThere)) return from
    const excluded = words.slice(from, end)
    const text = excluded.map(({ folded }) => folded).join(' ')
    const span = spanOf(begin, end)
    readings.push({
      kind: 'words',
      ...span,
      label: text,
      words: text,
      confidence: 0.5,
      excluded: true,
    })
    use(begin, end, 'excluded')
    return end
  }

  function factAt(position: number): FactHit | undefined {
    // `an 8 year old daughter` is not old.
    const isAge = /^years?$/.test(words[position - 1]?.folded ?? '')
    if (!isFree(position) || (isAge && words[position]?.folded === 'old')) return undefined
    const isInPassing = !isWish && storyWords.has(words[position]?.folded ?? '')
    const numeric = numericFactAt(words, position, isWish)
    const listed = tables.facts.longestAt(words, position) ?? comparedAt(position)
    if (numeric !== undefined && numeric.length >= (listed?.length ?? 0)) {
      const { begin, end } = spanOf(position, position + numeric.length)
      return { ...numeric, label: query.slice(begin, end), confidence: 0.9 }
    }
    // `a kid` of whom something is told is no wish for children.
    if (listed === undefined || (isInPassing && listed.length === 1)) return undefined
    const chosen = choosePhrase(listed.values, words, position, tables.makerWords, isWish)
    return chosen && { length: listed.length, ...chosen }
  }

  /** `darker` is read as `dark`. */
  function comparedAt(position: number): ReturnType<FactPhrases['longestAt']> {
    const word = words[position]
    if (word === undefined) return undefined
    for (const stem of positivesOf(word.folded)) {
      const hit = tables.facts.longestAt([{ ...word, stem }], 0)
      // A witcher is not more of a witch.
      if (hit?.values.some(({ isThing }) => !isThing)) return hit
    }
    return undefined
  }

  function keep(begin: number, from: number, hit: FactHit, excluded: boolean): number {
    const end = from + hit.length
    const { fact, label, confidence } = hit
    readings.push({ ...fact, ...spanOf(begin, end), label, confidence, excluded })
    const isTold = fact.kind === 'topic'
    use(begin, end, excluded ? 'excluded' : isTold ? 'topic' : 'fact')
    return end
  }
}

interface FactHit {
  readonly length: number
  readonly fact: Fact
  readonly label: string
  readonly confidence: number
}

/** Words between a negation and what it excludes: `without too much of a romance`. */
const maxGap = 4
const maxExcludedWords = 2
