/** Makers identified through one of their works, by their role: `by the makers of X`, `same author as X`. */
import type { DatasetFacts, NamedRows, RowList } from '../facts/dataset-facts.js'
import type { MakersRole, Reading } from '../reader/interpretation.js'
import type { OriginalNames } from './original-authors.js'
import { franchiseRows } from './franchise-rows.js'

type MakersReading = Extract<Reading, { readonly kind: 'makers' }>

/**
 * The readings with the studios and people that are requested. Where these made no other work, works like the one
 * that is named have to do.
 */
export const withMakers = (
  readings: readonly Reading[],
  facts: DatasetFacts,
  authors: OriginalNames,
): readonly Reading[] =>
  readings.flatMap((reading) =>
    reading.kind === 'makers' ? readingsOfMakers(reading, facts, authors) : [reading],
  )

function readingsOfMakers(
  { role, rows, ...span }: MakersReading,
  facts: DatasetFacts,
  authors: OriginalNames,
): readonly Reading[] {
  // Of several works with the named title, the first counts.
  const [example = -1] = rows
  const namesWith = (lists: Iterable<readonly [string, RowList]>) =>
    [...lists].filter(([, list]) => list.includes(example)).map(([name]) => name)
  const { studios, people } = madeBy(role, {
    areBooks: facts.studios.size === 0,
    studios: namesWith(facts.studios),
    people: namesWith(facts.people),
    writers: namesWith(authors).map((name) => name.toLowerCase()),
  })
  const own = new Set(franchiseRows(facts, rows))
  const areOwn = (lists: NamedRows, names: readonly string[]) =>
    names.every((name) => lists.get(name)?.every((row) => own.has(row)))
  if (areOwn(facts.studios, studios) && areOwn(facts.people, people)) {
    return span.excluded ? [] : [{ ...span, kind: 'like', rows }]
  }
  return [
    ...studios.map((value) => ({ ...span, kind: 'studio' as const, value })),
    ...people.map((value) => ({ ...span, kind: 'person' as const, value })),
  ]
}

interface Makers {
  readonly studios: readonly string[]
  readonly people: readonly string[]
}

interface KnownMakers extends Makers {
  /** Whether what the people made has no studios: then they are authors. */
  readonly areBooks: boolean
  readonly writers: readonly string[]
}

/** Those of a role; where nobody is known to have it, the others, who wrote nothing. */
function madeBy(
  role: MakersRole | undefined,
  { areBooks, studios, people, writers }: KnownMakers,
): Makers {
  const others = people.filter((name) => !writers.includes(name))
  if (role === undefined) return { studios, people: others }
  if (role === 'author' && !areBooks) return { studios: [], people: writers }
  if (role === 'studio' && studios.length > 0) return { studios, people: [] }
  const byRole = { studio: [], author: writers, creator: writers, director: others }[role]
  const named = byRole.length > 0 ? byRole : people
  return named.length > 0 ? { studios: [], people: named } : { studios, people: [] }
}
