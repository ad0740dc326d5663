/**
 * Reads a query: which title it is, which works it names, which facts it wishes and which it excludes, and what is
 * left as a description. Every reading is soft: it weighs, it hides nothing.
 */
import { readCharacters, surer } from './characters.js'
import { boundedTitles } from './bounded-titles.js'
import { choosePhrase, listedAt } from './choose-phrase.js'
import { isCross } from './cross.js'
import { type Exclusions, readExclusion } from './exclusions.js'
import type { DatasetNames } from './fact-phrases.js'
import type { Interpretation, Reading, Span, TitleLookup } from './interpretation.js'
import type { Lexicon, TagWords } from './lexicon.js'
import { leadBefore, magazineAt } from './magazines.js'
import { exclusionStarts, type FactHit, negationAt } from './negation.js'
import { readToldTitle, restOf } from './told-title.js'
import { numericFactAt } from './numeric-facts.js'
import { createTables, type QueryTables } from './query-tables.js'
import { queryWords } from './query-words.js'
import {
  mentionReading,
  nearTitle,
  partOfTitle,
  readNamed,
  readRareWords,
  readTitle,
  sameTitle,
  withNamed,
} from './read-title.js'
import { findReferences } from './references.js'
import { refusedAt } from './refused-facts.js'
import {
  describe,
  fillerOf,
  inNoTitle,
  isOnlyFact,
  isPartOfFiller,
  useOf,
  type WordUse,
} from './rest-of-query.js'
import { settled } from './settled-readings.js'
import { areFacts, isPartOfTopic, isSubject, saysWithout, withTitled } from './subject.js'
import { withoutTakenBack } from './taken-back.js'
import { anyGoodWork, isInPassing, isNamedAt, isWishOf, maxWishWords, saysOfWork } from './wish.js'

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
  return (query, ignored = []) => {
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
  const typed = queryWords(query)
  const isWish = isWishOf(query, typed, tables, titles)
  const isIgnored = ({ begin, end }: Span) =>
    ignored.some((span) => span.begin < end && begin < span.end)
  const noTitle = ignored.some(({ begin, end }) => begin === 0 && end >= query.length)
  // Who types so many words types a title only as it is written.
  const matchTitle = typed.length > maxWishWords ? titles.exact : titles.match
  const characters = readCharacters(typed, tables, titles)
  const named = characters.whole && !isIgnored(characters.whole) ? characters.whole : undefined
  const read = noTitle ? undefined : surer(readTitle(query, matchTitle, titles), named)
  // What nearly is a title is a typo of it, and no other word.
  const isWord = (word: string) => titles.exact(word).length > 0 || titles.isWord?.(word) === true
  const corrected = isWish ? tables.correct(typed, isWord) : typed
  const isWhole =
    !isSubject(typed, corrected, read?.confidence ?? 0, tables) &&
    !saysWithout(query, typed, tables, titles)
  const made = readToldTitle(query, typed, tables, titles)
  const whole = made && !isIgnored(made) ? made : isWhole ? read : undefined
  const words = whole === undefined ? corrected : typed
  const uses: WordUse[] = words.map(() => 'text')
  const readings: Reading[] = []
  const use = (begin: number, end: number, as: WordUse) => uses.fill(as, begin, end)
  const spanOf = (begin: number, end: number) => ({
    begin: words[begin]?.begin ?? 0,
    end: words[end - 1]?.end ?? query.length,
  })
  const mark =
    (as: WordUse, isMarked: (position: number) => boolean) =>
    ({ begin, end }: Span): void =>
      words.forEach((word, position) => {
        if (begin <= word.begin && word.end <= end && isMarked(position)) uses[position] = as
      })
  const factLength = (begin: number) => tables.facts.longestAt(words, begin)?.length ?? 0
  const nameTables = { ...tables, ...titles }
  const isFiller = fillerOf(words, tables.filler)
  const isFact = (begin: number, end: number) =>
    isFiller.slice(begin, end).every(Boolean) || areFacts(words.slice(begin, end), tables)
  const startsWish = (position: number) =>
    (tables.facts.longestAt(words, position) ??
      tables.negations.longestAt(words, position) ??
      numericFactAt(words, position, isWish)) !== undefined
  const exclusions: Exclusions = {
    ...{ query, words, tables, titles, isWish, factAt },
    isNamed: (position) => uses[position] === 'reference',
    excludeFact: (begin, from, hit) => keep(begin, from, hit, true),
    exclude(begin, end, reading) {
      const span = spanOf(begin, end)
      if (isIgnored(span)) return end
      const isRead = (it: Reading) =>
        it.kind === 'title' && it.excluded && span.begin < it.end && it.begin < span.end
      if (!readings.some(isRead)) readings.push({ ...reading, ...span, excluded: true })
      return exclusions.leaveOut(begin, end)
    },
    leaveOut(begin, end) {
      use(begin, end, 'excluded')
      return end
    },
  }
  const isSame = whole !== undefined && whole.confidence > sameTitle
  const startsExclusion = exclusionStarts(exclusions)
  const referenceTables = { ...tables, factLength, startsWish, startsExclusion }
  const references = isSame ? [] : findReferences(query, words, referenceTables, titles, isWish)
  if (whole !== undefined && references.length === 0) readings.push(whole)
  // Nobody who types a whole title means its words.
  const isTitle = whole !== undefined && words.length > 1 && whole.confidence > nearTitle
  if (isTitle && references.length === 0)
    return { readings, text: restOf(query, whole), explained: 0 }
  if (whole === undefined && references.length === 0 && words.length <= maxWishWords) {
    const named = readNamed(query, words, titles, tables.around, isFact)
    const mentions = named ? [named] : titles.mentions(query).map(mentionReading)
    readings.push(...mentions.filter((mention) => !isIgnored(mention)))
  }
  for (const reference of references) {
    const { begin, end, title: label, similarity: confidence, ...named } = reference
    const span = spanOf(begin, end)
    if (isIgnored(span)) continue
    readings.push({ ...named, ...span, label, confidence })
    use(begin, end, named.excluded ? 'excluded' : 'reference')
  }
  for (let position = 0; position < words.length;) {
    position = isFree(position) ? readAt(position) : position + 1
  }
  if (whole === undefined && references.length === 0)
    readings.push(
      ...characters.parts.filter((part) => !isIgnored(part) && !isOnlyFact(words, uses, part)),
    )
  // In a long story, a golden boy is a chance.
  const namesNone = !readings.some(
    ({ kind, excluded }) => !excluded && (kind === 'title' || kind === 'like'),
  )
  if (namesNone && words.length <= maxWishWords) {
    const isContent = (position: number) =>
      !isFiller[position] &&
      !inNoTitle(uses[position]) &&
      !isIgnored(spanOf(position, position + 1))
    const isLeft = (position: number) =>
      isContent(position) &&
      (uses[position] === 'text' || isPartOfTopic(readings, spanOf(position, position + 1))) &&
      !tables.known.has(words[position]?.stem ?? '')
    const isUnread = (position: number) => isContent(position) && isFree(position)
    const rare = { isLeft, isContent, readings, telling: isFiller.filter((is) => !is).length }
    const named = readRareWords(words, rare, titles)
    const kept = withNamed(readings, named, words, isUnread)
    const taken = readings.filter((reading) => !kept.includes(reading))
    // Beside other readings, what a title takes from a topic explains nothing.
    if (kept.some(({ kind }) => kind !== 'title')) taken.forEach(mark('text', () => true))
    readings.splice(0, readings.length, ...kept)
  }
  if (
    readings.length === 0 &&
    ignored.length === 0 &&
    words.length > 1 &&
    isFiller.every(Boolean)
  ) {
    readings.push(anyGoodWork(spanOf(0, words.length), query))
    use(0, words.length, 'fact')
  }
  if (readings.every(({ kind, excluded }) => kind === 'title' && !excluded)) {
    // The words of a title are read, and texts may have them.
    readings.filter(({ confidence }) => confidence >= partOfTitle).forEach(mark('topic', isFree))
  }
  const told = settled({ words, isWish, tables, titles }, readings)
  const rest = describe(query, words, uses, tables.filler, isWish)
  return { readings: told, ...rest, isCross: isCross(words, told, tables) }

  /** Whether a word may begin a reading. */
  function isFree(position: number): boolean {
    const word = words[position]
    return word !== undefined && uses[position] === 'text' && !isIgnored(word)
  }

  /** Reads what begins at a word. Returns the word that follows. */
  function readAt(position: number): number {
    const hit = factAt(position)
    // The `no` of a Japanese title excludes nothing.
    const negation = whole === undefined ? negationAt(exclusions, position) : undefined
    const last = position + (negation?.length ?? 0) - 1
    if (!negation || !isFree(last) || (hit !== undefined && hit.length > negation.length)) {
      if (hit === undefined) return position + 1
      const refused = refusedAt({ words, tables, isWish }, position, hit)
      return keep(refused?.begin ?? position, position, refused?.hit ?? hit, refused !== undefined)
    }
    return readExclusion(exclusions, position, negation)
  }

  function factAt(position: number): FactHit | undefined {
    if (!isFree(position) || isNamedAt(words, position)) return undefined
    const passes = isInPassing(words, position, isWish)
    const numeric = numericFactAt(words, position, isWish)
    const listed = listedAt(words, position, tables.facts, isWish)
    if (numeric !== undefined && numeric.length >= (listed?.length ?? 0)) {
      const { begin, end } = spanOf(position, position + numeric.length)
      return { ...numeric, label: query.slice(begin, end), confidence: 0.9 }
    }
    const magazine = magazineAt(words, position, listed?.length ?? 0, isWish, tables)
    if (magazine !== undefined) return magazine
    // `a kid` of whom something is told is no wish for children, and who has to go somewhere plays no game.
    if (listed === undefined || (passes && listed.length === 1)) return undefined
    if (isPartOfFiller(words, position, listed.length, tables.filler)) return undefined
    const chosen = choosePhrase(listed, words, position, nameTables, isWish)
    // In a told story a girl is popular, and a student new.
    const end = position + listed.length
    const isMeant = chosen && (isWish || saysOfWork(chosen.fact, words, position, end, tables))
    return isMeant ? { ...listed, ...chosen } : undefined
  }

  function keep(begin: number, from: number, hit: FactHit, excluded: boolean): number {
    let end = from + hit.length
    // The last word of `art like` begins `like Berserk`.
    while (end - 1 > from && uses[end - 1] === 'reference') end -= 1
    const { label, confidence } = hit
    const fact = isWish ? withTitled(hit, words.slice(from, end), titles) : hit.fact
    readings.push({ ...fact, ...spanOf(begin, end), label, confidence, excluded })
    use(begin - leadBefore(fact, words, begin, tables), end, excluded ? 'excluded' : useOf(hit))
    if (hit.noun !== undefined) use(hit.noun, hit.noun + 1, 'fact')
    return end
  }
}
