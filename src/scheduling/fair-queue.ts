/** A queue in which owners of many items do not hold up owners of few. */
export interface FairQueue<T> {
  /** @param owner its items go on in their order; an item without one has an owner of its own */
  add(item: T, owner?: object): void
  /** Takes the item whose turn it is. */
  next(): T | undefined
  size(): number
}

interface Owner<T> {
  readonly items: T[]
  /** How many of its items have been taken. */
  turns: number
}

/** Every so many turns, the owner that has waited longest is next, instead of the one with the fewest turns. */
const turnsOfLongest = 4

export function createFairQueue<T>(): FairQueue<T> {
  const owners = new WeakMap<object, Owner<T>>()
  /** Owners with items; the one that has waited longest is first. */
  const waiting = new Set<Owner<T>>()
  let size = 0
  let turns = 0

  function ownerOf(key: object): Owner<T> {
    const known = owners.get(key) ?? { items: [], turns: 0 }
    owners.set(key, known)
    return known
  }

  function choose(): Owner<T> | undefined {
    const [longest] = waiting
    turns += 1
    if (turns % turnsOfLongest === 0) return longest
    let chosen = longest
    for (const owner of waiting) if (owner.turns < (chosen?.turns ?? 0)) chosen = owner
    return chosen
  }

  return {
    add(item, key = {}) {
      const owner = ownerOf(key)
      owner.items.push(item)
      waiting.add(owner)
      size += 1
    },
    next() {
      const owner = choose()
      if (owner === undefined) return undefined
      owner.turns += 1
      waiting.delete(owner)
      const item = owner.items.shift()
      if (owner.items.length > 0) waiting.add(owner)
      size -= 1
      return item
    },
    size: () => size,
  }
}
