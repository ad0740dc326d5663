/** Sorts numbers by ranks of few values, in one pass over the ranks. */

/** The items by their ranks, which are below `rankCount`; those of one rank in their order. */
export function sortStably(
  items: Uint32Array,
  rankCount: number,
  rankOf: (item: number) => number,
): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(rankCount + 1)
  for (const item of items) {
    const rank = rankOf(item)
    next[rank + 1] = (next[rank + 1] ?? 0) + 1
  }
  accumulate(next)
  const sorted = new Uint32Array(items.length)
  for (const item of items) {
    const rank = rankOf(item)
    const slot = next[rank] ?? 0
    sorted[slot] = item
    next[rank] = slot + 1
  }
  return sorted
}

const digits = 2 ** 11

/** The same by whole numbers of at most 53 bits, from their lowest digit to the highest. */
export function sortByKeys(items: Uint32Array, keys: Float64Array): Uint32Array {
  let sorted = items
  for (let unit = 1; unit < 2 ** 53; unit *= digits) {
    sorted = sortStably(sorted, digits, (item) => Math.floor((keys[item] ?? 0) / unit) % digits)
  }
  return sorted
}

/** Turns how many there are of each, one further, into where those of each begin. */
export function accumulate(starts: Uint32Array): void {
  for (let position = 1; position < starts.length; position += 1) {
    starts[position] = (starts[position] ?? 0) + (starts[position - 1] ?? 0)
  }
}
