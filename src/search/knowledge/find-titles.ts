/** The works that words of a query may name, with what the choice among them depends on. */
import { mainRows } from '../../data/catalogue/franchises.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { FindTitles, WorkMatch, WorkSpan } from '../reader/work-span.js'
import type { Word } from '../../base/text/words.js'
import type { SpanWord, TitleSpan } from '../../data/titles/find-spans.js'
import { foldTitle } from '../../data/titles/fold-title.js'
import { qualityOf, type RewordedTitle } from '../../data/titles/reworded.js'
import { constants } from '../../base/constants/constants.js'
import { remember } from '../../base/text/remember.js'
import { isTellingWord } from '../../base/text/small-words.js'
import type { TitleIndex } from '../../data/titles/title-index.js'
import type { CharacterAt, CharacterMatch } from './character-lookup.js'
import { seriesNumber } from './franchise-rows.js'
import type { NearTitle } from './parts-of-series.js'

export interface FindTitlesOptions {
  readonly index: Pick<TitleIndex, 'spans' | 'row' | 'text'>
  readonly popularity: Float32Array | undefined
  readonly facts: Pick<DatasetFacts, 'isMain' | 'franchises' | 'rowCount'>
  /** Titles that a whole text is or nearly is, the nearest first. */
  readonly match: (text: string) => readonly NearTitle[]
  /** Titles in other words. */
  readonly reworded: (text: string) => readonly RewordedTitle[]
  /** The character whose name words begin with. */
  readonly characters: CharacterAt | undefined
  /** The best-known work whose title has these first letters. */
  readonly initials: (letters: string) => number | undefined
}

/** Words that are first letters of a title, or are known to be none. */
const maxInitials = 20_000
/** A longer query is compared with titles by its parts alone. */
const maxWholeWords = 12
const maxWholeLength = 80

export function createFindTitles(options: FindTitlesOptions): FindTitles {
  const { index, popularity, facts, match, reworded, characters } = options
  const initials = remember(maxInitials, options.initials)
  const { isMain, franchises } = facts
  const fameOf = (row: number) => (popularity?.[row] ?? 0) || 0
  const isRanked = (row: number) => !Number.isNaN(popularity?.[row] ?? NaN)
  /** Where nothing is known of fame, every work may be named by less than its title. */
  const hasFame = popularity?.some((value) => !Number.isNaN(value)) === true
  const mains = mainRows(facts)
  /** The main work of a row's series. */
  const mainOf = (row: number) => mains.get(franchises[row] ?? -1) ?? row
  const seriesOf = (row: number) => seriesNumber(franchises, row)
  const byFame = (one: number, other: number) => fameOf(other) - fameOf(one) || one - other
  const byMain = (one: number, other: number) =>
    (isMain[other] ?? 0) - (isMain[one] ?? 0) || byFame(one, other)

  const workSpan = (
    span: Pick<WorkSpan, 'from' | 'to' | 'bits'>,
    match: WorkMatch,
    rows: readonly number[],
    label: string,
    similarity: number,
    coverage: number,
  ): WorkSpan => {
    const [first = -1] = rows
    return {
      from: span.from,
      to: span.to,
      bits: span.bits,
      match,
      rows,
      label,
      similarity,
      coverage,
      ...(isRanked(first) && { fame: fameOf(first) }),
      isMain: isMain[first] === 1,
      seriesCount: new Set(rows.map(seriesOf)).size,
    }
  }

  function workOf(span: TitleSpan, words: readonly Word[]): WorkSpan {
    const { match: how, titles, similarity } = span
    const rows = [...new Set(titles.map((title) => index.row(title)))]
    const letters = words
      .slice(span.from, span.to)
      .reduce((sum, { folded }) => sum + folded.length, 0)
    const shareOf = (title: number) =>
      Math.min(1, letters / foldTitle(index.text(title)).joined.length)
    if (how === 'exact' || how === 'near') {
      const sorted = rows.sort(byMain)
      const title = titles.find((one) => index.row(one) === sorted[0]) ?? -1
      return workSpan(span, how, sorted, index.text(title), similarity, 1)
    }
    const best = rows.sort(byFame)[0] ?? -1
    const title = titles.find((one) => index.row(one) === best) ?? -1
    // Another work of its series may have the words as well: the first is taken.
    const main = rows.includes(mainOf(best)) || how === 'part' ? mainOf(best) : best
    const others = new Set(rows.map(seriesOf)).size
    return {
      ...workSpan(span, how, [main], index.text(title), similarity, shareOf(title)),
      seriesCount: others,
    }
  }

  function wholeOf(query: string, words: readonly Word[]): readonly WorkSpan[] {
    if (words.length === 0 || words.length > maxWholeWords || query.length > maxWholeLength)
      return []
    const { least, part } = constants().titles
    const matches = match(query.trim())
    const [best] = matches
    const span = { from: 0, to: words.length, bits: 0 }
    if (best === undefined || best.similarity < least) return rewordedOf(query, span)
    const others = best.similarity <= part ? rewordedOf(query, span) : []
    const same = matches.filter(({ similarity }) => similarity === best.similarity)
    const rows = [...new Set(same.map(({ row }) => row))]
    return [workSpan(span, 'whole', rows, best.title, best.similarity, 1), ...others]
  }

  /** The titles that have most of the words, or others for them; of as good ones the best known. */
  function rewordedOf(
    query: string,
    span: Pick<WorkSpan, 'from' | 'to' | 'bits'>,
  ): readonly WorkSpan[] {
    const likely = reworded(query)
      .filter(({ row }) => !hasFame || fameOf(row) > 0)
      .toSorted((one, other) => qualityOf(other) - qualityOf(one))
    const [best] = likely
    if (best === undefined) return []
    const as = likely.filter((title) => qualityOf(title) === qualityOf(best))
    const rows = as.map(({ row }) => row).sort(byMain)
    const rarer = { ...span, bits: best.bits }
    return [workSpan(rarer, 'reworded', rows, best.title, best.queryShare, best.titleShare)]
  }

  function charactersIn(words: readonly Word[]): readonly WorkSpan[] {
    if (characters === undefined) return []
    const found: WorkSpan[] = []
    const folded = words.map(({ folded }) => folded)
    for (let from = 0; from < words.length; from += 1) {
      if (!isTellingWord(folded[from] ?? '')) continue
      const name = characters(folded.slice(from, from + 6))
      if (name === undefined) continue
      const { length, rows, kind, name: label } = name
      const span = { from, to: from + length, bits: kindBits[kind] }
      found.push(workSpan(span, 'character', rows, label, 1, length))
    }
    return found
  }

  function initialsIn(words: readonly Word[], isUnknown: readonly boolean[]): readonly WorkSpan[] {
    return words.flatMap(({ folded }, from) => {
      const row = initials(folded)
      if (row === undefined) return []
      const bits = isUnknown[from] === true ? 1 : 0
      return [workSpan({ from, to: from + 1, bits }, 'initials', [row], folded, 1, 1)]
    })
  }

  return (query, words, isUnknown) => {
    const spanWords = words.map((word, at): SpanWord => {
      const isFirst = at === 0 || words[at - 1]?.endsSentence === true
      return {
        folded: word.folded,
        endsSentence: word.endsSentence,
        isName: (word.isCapital && !isFirst && word.folded.length > 1) || isUnknown[at] === true,
      }
    })
    const spans = index.spans(spanWords, popularity).map((span) => workOf(span, words))
    return [
      ...spans,
      ...wholeOf(query, words),
      ...charactersIn(words),
      ...initialsIn(words, isUnknown),
    ]
  }
}

/** How surely a name is one, in the place of bits. */
const kindBits: Readonly<Record<CharacterMatch['kind'], number>> = {
  full: 16,
  word: 12,
  plain: 6,
  shared: 3,
}
