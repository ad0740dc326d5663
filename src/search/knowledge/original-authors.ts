/**
 * Who wrote and drew what an anime is made from, and where it ran. Many catalogues have only the directors of an anime,
 * but the authors of a manga, and both are of one franchise, so `by naoki urasawa` and `same author as monster` find
 * anime, too. So is it with manhwa, which catalogues of anime take for manga.
 */
import type { FactKind } from '../../data/catalogue/fact-lists.js'
import type { RowFacts } from '../../data/catalogue/row-facts.js'
import type { DatasetFacts, NamedRows, RowList } from '../facts/dataset-facts.js'
import { getOrAdd } from '../../base/util/get-or-add.js'

type FactSource = Pick<RowFacts, 'listsOf'>

/** Rows of anime by the name of an author or a magazine, names as written. */
export type OriginalNames = ReadonlyMap<string, RowList>

/** Of an anime made from something else, a manga of its franchise is an adaptation, too. */
const comicSources = new Set(['manga', 'web_manga', '4_koma_manga', 'webtoon', 'manhwa', 'manhua'])

/**
 * Their own authors, and those of the manga that they are made from.
 * @param manga where the catalogue has them
 */
export function originalAuthors(anime: FactSource, manga: FactSource | undefined): OriginalNames {
  const authors = new Map<string, RowList>()
  for (const { value, rows } of anime.listsOf('author')) authors.set(value, rows)
  if (manga === undefined) return authors
  for (const [name, rows] of namesOfOriginals(anime, manga, 'person')) {
    authors.set(name, merged(authors.get(name), rows))
  }
  return authors
}

export const originalMagazines = (anime: FactSource, manga: FactSource): OriginalNames =>
  namesOfOriginals(anime, manga, 'magazine')

function namesOfOriginals(anime: FactSource, manga: FactSource, wanted: FactKind): OriginalNames {
  const adaptations = franchiseOf(anime, rowsOf(anime, 'source', comicSources))
  const originals = franchiseOf(manga, rowsOf(manga, 'relation', new Set(['main'])))
  const rowsOfFranchise = new Map<string, number[]>()
  for (const [row, franchise] of adaptations)
    getOrAdd(rowsOfFranchise, franchise, () => []).push(row)
  const names = new Map<string, RowList>()
  for (const { value, rows } of manga.listsOf(wanted)) {
    const franchises = new Set([...rows].map((row) => originals.get(row) ?? ''))
    const made = [...franchises].flatMap((franchise) => rowsOfFranchise.get(franchise) ?? [])
    if (made.length > 0) names.set(value, Uint32Array.from(made).sort())
  }
  return names
}

/** Types of comics that catalogues call manga, or web manga, where an anime is made from them. */
const ownTypes = ['manhwa', 'manhua']

/** Rows of anime by the type of the comic that they are made from: `based on a manhwa`. */
export function originalTypes(anime: FactSource, manga: FactSource): ReadonlyMap<string, RowList> {
  const adaptations = franchiseOf(anime, rowsOf(anime, 'source', comicSources))
  const mains = rowsOf(manga, 'relation', new Set(['main']))
  return new Map(
    ownTypes.flatMap((type) => {
      const ofType = rowsOf(manga, 'type', new Set([type]))
      const originals = franchiseOf(manga, new Set([...mains].filter((row) => ofType.has(row))))
      const franchises = new Set(originals.values())
      const made = [...adaptations].filter(([, franchise]) => franchises.has(franchise))
      return made.length === 0 ? [] : [[type, Uint32Array.from(made, ([row]) => row).sort()]]
    }),
  )
}

/** The facts with these types among the sources. */
export const withOriginalTypes = (
  facts: DatasetFacts,
  types: ReadonlyMap<string, RowList>,
): DatasetFacts =>
  types.size === 0 ? facts : { ...facts, sources: facts.lists.with(facts.sources, types) }

function rowsOf(facts: FactSource, kind: FactKind, values: ReadonlySet<string>): Set<number> {
  const rows = new Set<number>()
  for (const list of facts.listsOf(kind)) {
    if (!values.has(list.value)) continue
    for (const row of list.rows) rows.add(row)
  }
  return rows
}

/** The franchise of each of the rows that have one. */
function franchiseOf(facts: FactSource, rows: ReadonlySet<number>): Map<number, string> {
  const franchises = new Map<number, string>()
  for (const { value, rows: members } of facts.listsOf('franchise')) {
    for (const row of members) if (rows.has(row)) franchises.set(row, value)
  }
  return franchises
}

/** The facts with these authors among the people; who is known already comes first, as a family name may mean either. */
export function withAuthors(facts: DatasetFacts, authors: OriginalNames): DatasetFacts {
  if (authors.size === 0) return facts
  const { lists: people, names } = joined(facts, facts.people, facts.names.people, authors)
  return { ...facts, people, names: { ...facts.names, people: names } }
}

/** The facts with these magazines, which are those of `shonen jump anime`. */
export function withMagazines(facts: DatasetFacts, originals: OriginalNames): DatasetFacts {
  if (originals.size === 0) return facts
  const { lists: magazines, names } = joined(
    facts,
    facts.magazines,
    facts.names.magazines,
    originals,
  )
  return { ...facts, magazines, names: { ...facts.names, magazines: names } }
}

/** The lists with these; of the names, those known already come first. */
function joined(
  { lists }: DatasetFacts,
  known: NamedRows,
  knownNames: readonly string[],
  originals: OriginalNames,
): { readonly lists: NamedRows; readonly names: readonly string[] } {
  const names = new Map(knownNames.map((name) => [name.toLowerCase(), name]))
  const others = new Map<string, RowList>()
  const byRows = [...originals].sort(([, one], [, other]) => other.length - one.length)
  for (const [name, rows] of byRows) {
    const key = name.toLowerCase()
    others.set(key, merged(others.get(key) ?? known.get(key), rows))
    if (!names.has(key)) names.set(key, name)
  }
  return { lists: lists.with(known, others), names: [...names.values()] }
}

const merged = (own: RowList | undefined, others: RowList): RowList =>
  own === undefined ? others : Uint32Array.from(new Set([...own, ...others])).sort()
