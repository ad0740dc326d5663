/** Which works go on from which by their titles: `Gantz 2` and `Gantz (OVA)` from `Gantz`. */
import { foldWords } from '../../base/text/fold-words.js'
import { maxCharacters, maxWords } from './fold-title.js'
import type { Titles } from './open-titles.js'
import { splitSeason } from './split-season.js'
import type { TitleKind } from './title.js'

/** A shorter word begins too many titles that have nothing to do with each other. */
const minLength = 4

/** Names that people give a work elsewhere are too many, and too short. */
const ownKinds = new Set<TitleKind>(['main', 'english'])

/** Others of a series may bear its bare name: `Mushishi (TV)` is as good a beginning as `Mushishi`. */
const firstSeason = new Set(['none', 'tv'])

/** The series of a row: a row continues rows of the same number alone, and none where there is no number. */
export type SeriesOf = (row: number) => number | undefined

/** The row that each row continues: that of the shortest title whose words begin a title of its own. */
export function continuedByTitle(titles: Titles, seriesOf: SeriesOf): ReadonlyMap<number, number> {
  const own: OwnTitle[] = []
  for (let title = 0; title < titles.count; title += 1) {
    const row = titles.row(title)
    const series = ownKinds.has(titles.kind(title)) ? seriesOf(row) : undefined
    if (series !== undefined) own.push({ row, series, ...readTitle(titles.original(title)) })
  }
  const beginnings = rowsByBeginning(own)
  const continued = new Map<number, number>()
  for (const { row, series, words } of own) {
    if (continued.has(row)) continue
    const rows = beginnings.get(series)
    for (let end = words.indexOf(' '); end > 0; end = words.indexOf(' ', end + 1)) {
      const first = rows?.get(words.slice(0, end))
      if (first === undefined || first === row) continue
      continued.set(row, first)
      break
    }
  }
  return continued
}

/** Texts, as lists of words would be ten times as large: a hundred thousand titles are here at once. */
interface OwnTitle {
  readonly row: number
  readonly series: number
  /** Joined by spaces. */
  readonly words: string
  /** Those without the season, where that is the first. */
  readonly bareWords: string | undefined
}

function readTitle(text: string): Pick<OwnTitle, 'words' | 'bareWords'> {
  const words = foldWords(text.slice(0, maxCharacters), maxWords).map(({ word }) => word)
  const { base, before, season } = splitSeason(words)
  const isFirst = season.number <= 1 && season.part <= 1 && firstSeason.has(season.kind)
  const isBare = before === 0 && isFirst && base.length < words.length
  return { words: words.join(' '), bareWords: isBare ? base.join(' ') : undefined }
}

/** Of each series; titles as they are come before what is left of others without their season. */
function rowsByBeginning(
  own: readonly OwnTitle[],
): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const all = new Map<number, Map<string, number>>()
  const add = (text: string | undefined, { row, series }: OwnTitle) => {
    if (text === undefined || text.length < minLength) return
    const rows = all.get(series) ?? new Map<string, number>()
    if (!rows.has(text)) rows.set(text, row)
    all.set(series, rows)
  }
  for (const title of own) add(title.words, title)
  for (const title of own) add(title.bareWords, title)
  return all
}
