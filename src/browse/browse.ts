/** What people who look around ask of a dataset: titles while they type, one entry, and what there is to filter by. */
import type { Catalogue, DatasetInfo, DatasetName } from '../catalogue/catalogue.js'
import { DatasetMissingError } from '../errors/index.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { passes, type RowMask } from '../util/row-mask.js'
import { readEntryDetails, type EntryDetails } from './entry-details.js'
import { countFacets, type Facets } from './facets.js'

export interface Browse {
  /** Entries with a title that begins so, the best first; one title of each. Rejects with a DatasetMissingError. */
  titles(dataset: DatasetName, query: TitlesQuery): Promise<readonly CompletedTitle[]>
  /** Undefined if there is no such entry. Rejects with a DatasetMissingError. */
  entry(dataset: DatasetName, id: number): Promise<EntryDetails | undefined>
  /** Rejects with a DatasetMissingError. */
  facets(dataset: DatasetName): Promise<Facets>
}

interface TitlesQuery {
  readonly prefix: string
  readonly limit: number
  /** Whether works for adults are among them. */
  readonly adult: boolean
}

interface CompletedTitle {
  readonly id: number
  /** The main title of the entry. */
  readonly title: string
  /** The title of it that begins so. */
  readonly matched: string
  readonly kind: 'main' | 'english' | 'native' | 'other'
  readonly type: string | null
  readonly year: number | null
}

export interface BrowseServices {
  readonly catalogue: Pick<
    Catalogue,
    'dataset' | 'entry' | 'text' | 'rowOfId' | 'mask' | 'popularity'
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
  const forAll = (name: DatasetName) => catalogue.mask(name, { adult: false })

  return {
    async titles(name, { prefix, limit, adult }) {
      const { known } = await open(name)
      const mask = adult ? undefined : forAll(name)
      const popularity = catalogue.popularity(name)
      const found = completeShown(limit, mask, (count) =>
        known.titles.complete(prefix, count, popularity),
      )
      return found.map(({ row, title: matched, kind }) => {
        const { id, title, type, year } = catalogue.entry(name, row)
        return { id, title, matched, kind, type, year }
      })
    },
    async entry(name, id) {
      const { dataset, known } = await open(name)
      const row = catalogue.rowOfId(name, id)
      return row === undefined ? undefined : readEntryDetails(catalogue, dataset, known.facts, row)
    },
    facets(name) {
      const known = counted.get(name)
      if (known !== undefined) return known
      const counting = open(name).then(({ known: { facts, tags } }) =>
        countFacets(facts, tags, forAll(name)),
      )
      counted.set(name, counting)
      counting.catch(() => counted.delete(name))
      return counting
    },
  }
}

/** Asks for more while too few of what is found may be shown, until there are no more. */
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
