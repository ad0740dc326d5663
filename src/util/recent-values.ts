/**
 * Values that are kept while they are asked for, within a budget. Two generations stand in for a list by
 * last use: what is found moves to the young one, and when that has filled half of the budget the old
 * one goes.
 */
export interface RecentValues<Key, Value> {
  get(key: Key): Value | undefined
  /** @param cost of the budget */
  set(key: Key, value: Value, cost: number): void
}

export function createRecentValues<Key, Value>(budget: number): RecentValues<Key, Value> {
  interface Kept {
    readonly value: Value
    readonly cost: number
  }
  let young = new Map<Key, Kept>()
  let old = new Map<Key, Kept>()
  let spent = 0

  function keep(key: Key, kept: Kept): void {
    young.set(key, kept)
    spent += kept.cost
    if (spent < budget / 2) return
    old = young
    young = new Map()
    spent = 0
  }

  return {
    get(key) {
      const recent = young.get(key)
      if (recent !== undefined) return recent.value
      const kept = old.get(key)
      if (kept !== undefined) keep(key, kept)
      return kept?.value
    },
    set: (key, value, cost) => keep(key, { value, cost }),
  }
}
