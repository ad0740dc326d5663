/** All that the catalogue has of one entry: its texts, its tags with their meaning, its franchise in order, and links. */
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { franchiseRows } from '../knowledge/query-fit.js'
import type { TagWords } from '../query/lexicon.js'
import { linksOf, type Link } from './links.js'

export interface EntryDetails {
  readonly id: number
  readonly title: string
  readonly type: string | null
  readonly genres: readonly string[]
  readonly year: number | null
  readonly score: number | null
  /** By column, without blank ones. */
  readonly texts: Readonly<Record<string, string>>
  /** The weightiest first. */
  readonly tags: readonly EntryTag[]
  /** The works of its franchise and itself by year; only itself where it has none. */
  readonly franchise: readonly FranchiseEntry[]
  readonly links: readonly Link[]
  /** Further metadata of the entry. */
  readonly [name: string]: unknown
}

export interface EntryTag {
  readonly tag: string
  readonly name: string
  readonly family: string | null
  readonly meaning: string | null
  /** 1 a touch, 2 clearly there, 3 what the work is about; null where the source gives none. */
  readonly weight: number | null
}

export interface FranchiseEntry {
  readonly id: number
  readonly title: string
  readonly type: string | null
  readonly year: number | null
  /** `main`, `sequel`, `movie` and so on. */
  readonly place: string | null
}

export function readEntryDetails(
  catalogue: Pick<Catalogue, 'entry' | 'text'>,
  { name, columns }: DatasetInfo,
  { facts, tags }: Pick<DatasetKnowledge, 'facts' | 'tags'>,
  row: number,
): EntryDetails {
  const { id, title, type, genres, year, score, metadata } = catalogue.entry(name, row)
  const texts = columns.flatMap((column, position) => {
    const text = catalogue.text(name, row, position)
    return text === null ? [] : [[column, text] as const]
  })
  return {
    // A mapping may name metadata as it likes; the members below win.
    ...metadata,
    ...{ id, title, type, genres, year, score },
    texts: Object.fromEntries(texts),
    tags: describeTags(metadata.tags, tags),
    franchise: franchiseRows(facts, [row])
      .map((other) => franchiseEntry(catalogue.entry(name, other)))
      .sort((one, other) => (one.year ?? 9999) - (other.year ?? 9999) || one.id - other.id),
    links: linksOf(name, metadata),
  }
}

function franchiseEntry({ id, title, type, year, metadata }: ReturnType<Catalogue['entry']>) {
  const place = typeof metadata.place === 'string' ? metadata.place : null
  return { id, title, type, year, place }
}

/** @param value tags by weight, or a list of them, as the catalogue keeps them */
export function describeTags(value: unknown, vocabulary: readonly TagWords[]): EntryTag[] {
  const known = new Map(vocabulary.map((tag) => [tag.tag, tag]))
  return weightsOf(value)
    .map(([tag, weight]) => {
      const { name = tag, family = null, meaning = null } = known.get(tag) ?? {}
      return { tag, name, family, meaning, weight }
    })
    .sort((one, other) => (other.weight ?? 0) - (one.weight ?? 0))
}

function weightsOf(value: unknown): [string, number | null][] {
  if (Array.isArray(value)) {
    return value.flatMap((tag: unknown) => (typeof tag === 'string' ? [[tag, null]] : []))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([tag, weight]) => [
    tag,
    typeof weight === 'number' ? weight : null,
  ])
}
