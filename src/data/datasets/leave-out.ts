/** Excludes kinds of works after all sources are joined. */
import { isAdult } from '../catalogue/adult.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import type { WorkKind } from '../../base/config/work-kinds.js'

export interface LeftOut {
  readonly kind: WorkKind
  readonly count: number
}

export interface LeavingOut {
  /** Whether the entry stays. Counts the entries that do not. */
  keeps(entry: CatalogueRow): boolean
  /** Number of excluded entries so far, by kind. */
  counts(): readonly LeftOut[]
}

/** An entry of several kinds counts as the first of them. */
export function createLeavingOut(kinds: readonly WorkKind[]): LeavingOut {
  const counts = new Map(kinds.map((kind) => [kind, 0]))
  return {
    keeps(entry) {
      const kind = kinds.find((kind) => isOfKind[kind](entry))
      if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      return kind === undefined
    },
    counts: () => [...counts].map(([kind, count]) => ({ kind, count })),
  }
}

const isOfKind: Readonly<Record<WorkKind, (entry: CatalogueRow) => boolean>> = {
  adult: isAdult,
  kids: ({ genres, facts, metadata: { demographics } }) =>
    genres.includes('Kids') ||
    facts?.audience?.toLowerCase() === 'kids' ||
    (Array.isArray(demographics) && demographics.includes('Kids')),
  music: ({ type }) => type === 'music',
}
