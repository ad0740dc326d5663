/** Names of the metadata that mappings declare `filterable`. */
import { filterableKinds, type Filterable, type FilterableKind } from '../catalogue/own-values.js'
import type { Field } from './field.js'
import type { Mapping } from './mapping.js'
import type { ReadKind } from './read-value.js'

const kinds: Readonly<Partial<Record<ReadKind, FilterableKind>>> = {
  ...Object.fromEntries(filterableKinds.map((kind) => [kind, kind])),
  integer: 'number',
  year: 'number',
  list: 'text',
  type: 'text',
}

/** Undefined for a field that is not declared, or whose type is not known. */
function kindOf(field: Field): FilterableKind | undefined {
  if (typeof field === 'string' || !('from' in field) || field.filterable !== true) return undefined
  return field.as && kinds[field.as]
}

export const filterablesOf = ({ metadata }: Pick<Mapping, 'metadata'>): readonly Filterable[] =>
  Object.entries(metadata).flatMap(([name, field]) => {
    const kind = kindOf(field)
    return kind === undefined ? [] : [{ name, kind }]
  })

/** Of several that declare a name, the first decides. */
export const joinFilterables = (all: readonly Filterable[]): readonly Filterable[] => [
  ...new Map(all.toReversed().map((one) => [one.name, one])).values(),
]
