/** The filters that are set, each with its words and the way to take it away. */
import type { Filters, ChosenValues } from '../lib/query.js'
import { typeLabel } from '../lib/words.js'
import { tagFacet } from '../state/facets.js'
import { changeFilters, query } from '../state/navigation.js'

export interface ActiveFilter {
  readonly label: string
  readonly isExcluded: boolean
  readonly remove: () => void
}

export function activeFilters(): ActiveFilter[] {
  const { filters } = query.value
  const { yearFrom, yearTo, minScore, adult, lightNovels } = filters
  const plain = (label: string, change: Partial<Filters>): ActiveFilter => ({
    label,
    isExcluded: false,
    remove: () => changeFilters(change),
  })
  const listed = (name: 'types' | 'audiences' | 'studios', labelOf: (value: string) => string) =>
    filters[name].map((value) =>
      plain(labelOf(value), { [name]: filters[name].filter((other) => other !== value) }),
    )
  const chosenFilters = (
    name: 'genres' | 'tags',
    labelOf: (value: string) => string,
  ): ActiveFilter[] =>
    Object.entries(filters[name]).map(([value, mode]) => ({
      label: mode === 'none' ? `not ${labelOf(value)}` : labelOf(value),
      isExcluded: mode === 'none',
      remove: () => changeFilters({ [name]: without(filters[name], value) }),
    }))
  return [
    ...listed('types', typeLabel),
    ...yearsLabel(yearFrom, yearTo).map((label) =>
      plain(label, { yearFrom: undefined, yearTo: undefined }),
    ),
    ...(minScore === undefined ? [] : [plain(`★ ${minScore} or more`, { minScore: undefined })]),
    ...listed('audiences', typeLabel),
    ...chosenFilters('genres', (genre) => genre),
    ...chosenFilters('tags', (tag) => tagFacet(tag)?.name ?? tag),
    ...listed('studios', (studio) => studio),
    ...(lightNovels ? [plain('with light novels', { lightNovels: false })] : []),
    ...(adult ? [plain('with adult works', { adult: false })] : []),
  ]
}

function yearsLabel(from: number | undefined, to: number | undefined): string[] {
  if (from === undefined && to === undefined) return []
  if (from === undefined) return [`until ${to}`]
  if (to === undefined) return [`from ${from}`]
  return [from === to ? String(from) : `${from}–${to}`]
}

export const without = (chosen: ChosenValues, value: string): ChosenValues =>
  Object.fromEntries(Object.entries(chosen).filter(([other]) => other !== value))
