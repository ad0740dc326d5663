/** Merges the rows of a work into an entry. The first value of a field wins. */
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import { joinFacts, type SourceFacts } from './facts.js'
import type { StagedRow } from './staged-rows.js'
import type { NamedWork } from './work.js'

/** How the entries of a dataset are laid out. */
export interface Layout {
  readonly columnCount: number
  /** Names of the facts that at least one source has; every entry has these fields. */
  readonly facts: ReadonlySet<keyof SourceFacts>
  /** Names of the metadata, in the order in which every entry has them. */
  readonly metadata: readonly string[]
  /** Of each source, the position of each of its texts among the columns; -1 of one that no row has. */
  readonly places: readonly (readonly number[])[]
}

/**
 * @param rows of the work, in the order of the sources
 * @param onRepeated called with the source of a text that repeats an earlier column; the text is skipped
 */
export function makeEntry(
  { id, title, alternativeTitles, type, year, popularity, franchise }: NamedWork,
  rows: readonly StagedRow[],
  { columnCount, facts, metadata: names, places }: Layout,
  onRepeated: (source: number) => void,
): CatalogueRow {
  const values = new Map<string, unknown>()
  const texts = new Array<string | null>(columnCount).fill(null)
  for (const { source, row } of rows) {
    for (const [name, value] of Object.entries(row.metadata)) {
      values.set(name, values.get(name) ?? value)
    }
    row.texts.forEach((text, position) => {
      if (text === null) return
      if (texts.includes(text)) onRepeated(source)
      else texts[places[source]?.[position] ?? 0] ??= text
    })
  }
  return {
    id,
    title,
    type,
    year,
    score: rows.find(({ row }) => row.score !== null)?.row.score ?? null,
    popularity,
    genres: rows.find(({ row }) => row.genres.length > 0)?.row.genres ?? [],
    facts: {
      otherTitles: alternativeTitles,
      ...joinFacts(
        rows.map(({ row }) => row.facts),
        facts,
      ),
      ...(facts.has('franchise') && { franchise }),
    },
    metadata: Object.fromEntries(names.map((name) => [name, values.get(name) ?? null])),
    texts,
  }
}
