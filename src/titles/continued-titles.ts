/** Which works go on from which by their titles: `Gantz 2` and `Gantz (OVA)` from `Gantz`. */
import { foldWords } from './fold-words.js'
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

/** Titles that are read between two pauses: some ten milliseconds. */
const slice = 1000

/** Of which works' titles are compared, and when others have their turn. */
export interface ContinuedOptions {
  /** A row continues rows of the same number alone, and none where there is no number. */
  readonly seriesOf: (row: number) => number | undefined
  readonly pause: () => Promise<void>
}

/** The row that each row continues: that of the shortest title whose words begin a title of its own. */
export async function continuedByTitle(
  titles: Titles,
  { seriesOf, pause }: ContinuedOptions,
): Promise<ReadonlyMap<number, number>> {
  const own: OwnTitle[] = []
  for (let title = 0; title < titles.count; title += 1) {
    if (title % slice === 0) await pause()
    const row = titles.row(title)
    const series = ownKinds.has(titles.kind(title)) ? seriesOf(row) : undefined
    if (series === undefined) continue
    const text = titles.original(title).slice(0, maxCharacters)
    own.push({ row, series, words: foldWords(text, maxWords).map(({ word }) => word) })
  }
  const beginnings = rowsByBeginning(own)
  await pause()
  const continued = new Map<number, number>()
  for (const { row, series, words } of own) {
    if (continued.has(row)) continue
    let beginning = keyOf(series)
    for (const word of words.slice(0, -1)) {
      beginning += ` ${word}`
      const first = beginnings.get(beginning)
      if (first === undefined || first === row) continue
      continued.set(row, first)
      break
    }
  }
  return continued
}

interface OwnTitle {
  readonly row: number
  readonly series: number
  readonly words: readonly string[]
}

const keyOf = (series: number): string => `${series}`

/** Titles as they are come before what is left of others without their season. */
function rowsByBeginning(own: readonly OwnTitle[]): ReadonlyMap<string, number> {
  const rows = new Map<string, number>()
  const add = (words: readonly string[], { row, series }: OwnTitle) => {
    const text = words.join(' ')
    const key = `${keyOf(series)} ${text}`
    if (text.length >= minLength && !rows.has(key)) rows.set(key, row)
  }
  for (const title of own) add(title.words, title)
  for (const title of own) {
    const { base, before, season } = splitSeason(title.words)
    const isFirst = season.number <= 1 && season.part <= 1 && firstSeason.has(season.kind)
    if (before === 0 && isFirst && base.length < title.words.length) add(base, title)
  }
  return rows
}
