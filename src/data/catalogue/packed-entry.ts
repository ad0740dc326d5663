/** An entry in JSON, which its table, the version of its dataset and the thread that indexes it share. */
import type { CatalogueRow } from './catalogue-row.js'

export interface PackedEntry {
  readonly genres: string
  readonly facts: string
  readonly metadata: string
  /** A list of what `unpackEntry` reads, without its end. */
  readonly values: string
}

export function packEntry(entry: CatalogueRow): PackedEntry {
  const { id, title, type, year, score, facts = {} } = entry
  const genres = JSON.stringify(entry.genres)
  const metadata = JSON.stringify(entry.metadata)
  const packed = { genres, facts: JSON.stringify(facts), metadata }
  const head = JSON.stringify([id, title, type, year, score]).slice(0, -1)
  return { ...packed, values: `${head},${genres},${packed.facts},${metadata}` }
}

type Values = Omit<CatalogueRow, 'texts' | 'popularity'>

export function unpackEntry(values: string): Values {
  const [id, title, type, year, score, genres, facts, metadata] = JSON.parse(`${values}]`) as [
    Values['id'],
    Values['title'],
    Values['type'],
    Values['year'],
    Values['score'],
    Values['genres'],
    NonNullable<Values['facts']>,
    Values['metadata'],
  ]
  return { id, title, type, year, score, genres, facts, metadata }
}
