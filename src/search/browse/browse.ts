/** What people who look around ask of a dataset: titles while they type, one entry, and what there is to filter by. */
import {
  isWorkDataset,
  type Catalogue,
  type DatasetInfo,
  type DatasetName,
} from '../../data/catalogue/catalogue.js'
import { DatasetMissingError } from '../../base/errors/index.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { shownTitle, type TitleLanguage } from '../../data/catalogue/shown-title.js'
import { inTurns } from '../../native/scheduling/in-turns.js'
import { passes, type RowMask } from '../../base/util/row-mask.js'
import { factWord } from '../../data/catalogue/fact-lists.js'
import { readEntryDetails, type EntryDetails, type OtherForm } from './entry-details.js'
import { countFacets, facetNames, type Facets } from './facets.js'

export interface Browse {
  /** Entries with a title that begins so, the best first; one title of each. Rejects with a DatasetMissingError. */
  titles(dataset: DatasetName, query: TitlesQuery): Promise<readonly CompletedTitle[]>
  /** Entries whose title is the text, in any spelling and with a typo; the likeliest first. Rejects with a DatasetMissingError. */
  titled(dataset: DatasetName, title: string): Promise<readonly TitledEntry[]>
  /** Undefined if there is no such entry. Rejects with a DatasetMissingError. */
  entry(dataset: DatasetName, id: number): Promise<EntryWithForms | undefined>
  /** The title of an entry in a language; undefined if there is no such entry. */
  titleOf(dataset: DatasetName, id: number, titles?: TitleLanguage): string | undefined
  /** Ids of the entries that a site knows by its ids. Rejects with a DatasetMissingError. */
  entriesOfSite(
    dataset: DatasetName,
    site: Site,
    ids: readonly number[],
  ): Promise<readonly SiteEntry[]>
  /** Rejects with a DatasetMissingError. */
  facets(dataset: DatasetName): Promise<Facets>
}

export interface EntryWithForms extends EntryDetails {
  /** Works of its franchise in the other dataset, the oldest first. */
  readonly otherForms: readonly OtherForm[]
}

type Site = 'mal' | 'anilist'

interface SiteEntry {
  readonly siteId: number
  readonly id: number
}

interface TitlesQuery {
  readonly prefix: string
  readonly limit: number
  /** Whether works for adults are among them. */
  readonly adult: boolean
  /** The language of their main titles; romaji where absent. */
  readonly titles?: TitleLanguage
}

export interface TitledEntry {
  readonly id: number
  /** The main title of the entry. */
  readonly title: string
  readonly type: string | null
  readonly year: number | null
}

interface CompletedTitle extends TitledEntry {
  /** The title of it that begins so. */
  readonly matched: string
  readonly kind: 'main' | 'english' | 'native' | 'other'
}

export interface BrowseServices {
  readonly catalogue: Pick<
    Catalogue,
    'dataset' | 'entry' | 'text' | 'rowOfId' | 'rowsOfSite' | 'mask' | 'popularity'
  >
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
}

export function createBrowse({ catalogue, knowledge }: BrowseServices): Browse {
  const counted = new Map<DatasetName, Promise<Facets>>()
  const open = async (name: DatasetName) => {
    const dataset = catalogue.dataset(name)
    if (dataset === undefined) throw new DatasetMissingError(name)
    return { dataset, known: await knowledge(dataset) }
  }
  /** Works of the same franchise in the other dataset, the oldest first. */
  const otherForms = async (name: DatasetName, franchise: string) => {
    if (!isWorkDataset(name)) return []
    const other = name === 'anime' ? 'manga' : 'anime'
    if (catalogue.dataset(other) === undefined) return []
    const { facts } = (await open(other)).known
    const mask = catalogue.mask(other, {})
    const rows = [...(facts.rowsOfFranchises.get(factWord(franchise)) ?? [])]
    const shown = rows.filter((row) => mask === undefined || passes(mask, row))
    return Array.from(shown, (row): OtherForm => ({
      dataset: other,
      entry: catalogue.entry(other, row),
    })).sort((one, two) => (one.entry.year ?? 9999) - (two.entry.year ?? 9999))
  }
  const forAll = (name: DatasetName) => catalogue.mask(name, { adult: false })

  return {
    async titles(name, { prefix, limit, adult, titles }) {
      const { known } = await open(name)
      const mask = adult ? catalogue.mask(name, {}) : forAll(name)
      const popularity = catalogue.popularity(name)
      const completed = completeShown(limit, mask, (count) =>
        known.titles.complete(prefix, count, popularity),
      )
      const rows = new Set(completed.map(({ row }) => row))
      // More typos than completion undoes; a short beginning is near to too many titles.
      const misspelt =
        completed.length > 0 || prefix.length < minMisspelt
          ? []
          : known.titles
              .match(prefix, limit, popularity)
              .filter(
                ({ row, similarity }) =>
                  similarity >= minSimilarity &&
                  !rows.has(row) &&
                  (mask === undefined || passes(mask, row)),
              )
      const found = [...completed, ...misspelt].slice(0, limit)
      return found.map(({ row, title: matched, kind }) => {
        const entry = catalogue.entry(name, row)
        const { id, type, year } = entry
        return { id, title: shownTitle(entry, titles), matched, kind, type, year }
      })
    },
    async titled(name, title) {
      const { known } = await open(name)
      const mask = catalogue.mask(name, {})
      const rows = known.titleRows(title).filter((row) => mask === undefined || passes(mask, row))
      return rows.map((row) => {
        const { id, title: main, type, year } = catalogue.entry(name, row)
        return { id, title: main, type, year }
      })
    },
    async entry(name, id) {
      const { dataset, known } = await open(name)
      const row = catalogue.rowOfId(name, id)
      if (row === undefined) return undefined
      const details = readEntryDetails(catalogue, dataset, known.facts, row)
      const { franchise } = details.entry.facts
      return { ...details, otherForms: franchise ? await otherForms(name, franchise) : [] }
    },
    titleOf(name, id, titles) {
      const row = catalogue.rowOfId(name, id)
      return row === undefined ? undefined : shownTitle(catalogue.entry(name, row), titles)
    },
    async entriesOfSite(name, site, ids) {
      await open(name)
      const chunks = Array.from({ length: Math.ceil(ids.length / idsATurn) }, (_, at) =>
        ids.slice(at * idsATurn, (at + 1) * idsATurn),
      )
      const found = await inTurns(chunks, (chunk) =>
        chunk.flatMap((siteId) =>
          catalogue
            .rowsOfSite(name, site, siteId)
            .map((row) => ({ siteId, id: catalogue.entry(name, row).id })),
        ),
      )
      return found.flat()
    },
    facets(name) {
      const known = counted.get(name)
      if (known !== undefined) return known
      const counting = open(name).then(({ known }) => countFacets(known, forAll(name), facetNames))
      counted.set(name, counting)
      counting.catch(() => counted.delete(name))
      return counting
    },
  }
}

/** Ids that are looked up before other requests have their turn. */
const idsATurn = 200

/** Titles with several typos are looked for from so many characters on, and are so similar at least. */
const minMisspelt = 6
const minSimilarity = 0.55

/** Fetches more while too few of the results may be shown, until there are no more. */
function completeShown<T extends { readonly row: number }>(
  limit: number,
  mask: RowMask | undefined,
  complete: (count: number) => readonly T[],
): readonly T[] {
  let before = -1
  for (let count = 2 * limit; ; count *= 4) {
    const found = complete(count)
    const shown = found.filter(({ row }) => mask === undefined || passes(mask, row))
    const isAll = shown.length === found.length || found.length === before
    if (shown.length >= limit || isAll) return shown.slice(0, limit)
    before = found.length
  }
}
