/** Why a filter leaves nothing: values of it that no entry has, such as a misspelt genre. */
import type { DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { EntryFilter, NamesFilter } from '../../data/catalogue/filter.js'
import type { DatasetFacts } from '../facts/dataset-facts.js'
import type { RowMask } from '../../base/util/row-mask.js'
import { suggestion } from '../../base/util/suggest.js'

type Values = Pick<DatasetFacts, 'types' | 'audiences' | 'studios' | 'genres' | 'tags'>

interface FilteredRows {
  readonly dataset: DatasetInfo
  readonly filter: EntryFilter
  /** The rows that pass the filter; all if undefined. */
  readonly mask: RowMask | undefined
}

/** One sentence for each value that no entry of the dataset has; none where entries pass the filter. */
export async function unmatchedValues(
  { dataset, filter, mask }: FilteredRows,
  knowledge: (dataset: DatasetInfo) => Promise<{ readonly facts: Values }>,
): Promise<readonly string[]> {
  if (mask === undefined || mask.some((byte) => byte !== 0)) return []
  const requested = wantedValues(filter)
  if (requested.length === 0) return []
  const { facts } = await knowledge(dataset)
  return requested.flatMap(([kind, value]) => {
    const known = facts[kind]
    const key = value.toLowerCase()
    if (known.has(key)) return []
    const nearest = suggestion(key, [...known.keys()])
    return `no ${dataset.name} has the ${nouns[kind]} ${JSON.stringify(value.slice(0, 40))}${nearest}`
  })
}

const nouns = {
  types: 'type',
  audiences: 'audience',
  studios: 'studio',
  genres: 'genre',
  tags: 'tag',
} as const

function wantedValues(filter: EntryFilter): (readonly [keyof Values, string])[] {
  const { types = [], audiences = [], studios = [], genres, tags } = filter
  const all = { types, audiences, studios, genres: wantedNames(genres), tags: wantedNames(tags) }
  return (Object.keys(nouns) as (keyof Values)[]).flatMap((kind) =>
    [...new Set(all[kind])].map((value) => [kind, value] as const),
  )
}

const wantedNames = ({ any = [], all = [] }: NamesFilter = {}) => [...any, ...all]
