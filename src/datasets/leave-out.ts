/** Kinds of works that a dataset can do without: left out once all sources are joined. */
import { isAdult } from '../catalogue/adult.js'
import type { NamedWork } from './merge.js'

export const workKinds = ['adult', 'kids', 'music'] as const
export type WorkKind = (typeof workKinds)[number]

export interface LeftOut {
  readonly kind: WorkKind
  readonly count: number
}

/** A work of several kinds counts for the first of them. */
export function leaveOut(
  works: readonly NamedWork[],
  kinds: readonly WorkKind[],
): { readonly works: readonly NamedWork[]; readonly leftOut: readonly LeftOut[] } {
  const counts = new Map(kinds.map((kind) => [kind, 0]))
  const rest = works.filter((work) => {
    const kind = kinds.find((kind) => isOfKind[kind](work))
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return kind === undefined
  })
  return { works: rest, leftOut: [...counts].map(([kind, count]) => ({ kind, count })) }
}

const isOfKind: Readonly<Record<WorkKind, (work: NamedWork) => boolean>> = {
  adult: isAdult,
  kids: ({ genres, metadata: { demographics } }) =>
    genres.includes('Kids') || (Array.isArray(demographics) && demographics.includes('Kids')),
  music: ({ type }) => type === 'music',
}
