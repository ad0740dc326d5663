/** Franchises from what sources say of related works: works that are related, or related by others, are one. */
import type { NamedWork } from './work.js'

/**
 * Sets the missing franchise of each work that has relatives: the franchise of a relative, else a key made of the
 * least id.
 */
export function nameFranchises(works: readonly NamedWork[]): void {
  const families = findFamilies(works)
  for (const family of families) {
    const known = family.find(({ franchise }) => franchise !== null)?.franchise
    const leastId = Math.min(...family.map(({ id }) => id))
    for (const work of family) work.franchise ??= known ?? `of-${leastId}`
  }
}

/** Works that are connected, in their order; those without relatives are none. */
function findFamilies(works: readonly NamedWork[]): readonly (readonly NamedWork[])[] {
  const byOwnId = new Map(works.flatMap((work) => work.ownIds.map((id) => [id, work] as const)))
  const neighbours = new Map<NamedWork, NamedWork[]>()
  const connect = (one: NamedWork, other: NamedWork) => {
    const known = neighbours.get(one)
    if (known === undefined) neighbours.set(one, [other])
    else known.push(other)
  }
  for (const work of works) {
    for (const id of work.relatedIds) {
      const relative = byOwnId.get(id)
      if (relative === undefined || relative === work) continue
      connect(work, relative)
      connect(relative, work)
    }
  }
  const seen = new Set<NamedWork>()
  return works.flatMap((work) => {
    if (seen.has(work) || !neighbours.has(work)) return []
    seen.add(work)
    const family = [work]
    // Grows while it is gone through.
    for (const member of family) {
      for (const relative of neighbours.get(member) ?? []) {
        if (seen.has(relative)) continue
        seen.add(relative)
        family.push(relative)
      }
    }
    return [family]
  })
}
