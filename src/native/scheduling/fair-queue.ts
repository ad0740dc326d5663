/** A queue in which owners of many items do not hold up owners of few: owners take turns. */
export interface FairQueue<T> {
  /** @param owner its items go on in their order; an item without one has an owner of its own */
  add(item: T, owner?: object): void
  /** Takes the item whose turn it is. */
  next(): T | undefined
  size(): number
}

export function createFairQueue<T>(): FairQueue<T> {
  /** The items of each owner that has any; the owner whose turn is next comes first. */
  const waiting = new Map<object, T[]>()
  let size = 0

  return {
    add(item, owner = {}) {
      const items = waiting.get(owner)
      if (items === undefined) waiting.set(owner, [item])
      else items.push(item)
      size += 1
    },
    next() {
      const [first] = waiting
      if (first === undefined) return undefined
      const [owner, items] = first
      const item = items.shift()
      waiting.delete(owner)
      if (items.length > 0) waiting.set(owner, items)
      size -= 1
      return item
    },
    size: () => size,
  }
}
