/** Ascending lists of numbers, each once in a list. */
import { firstFrom } from './text-set.js'

/** Numbers that are in all of the lists, in order. */
export function* intersect(lists: readonly Uint32Array[]): Generator<number> {
  const [shortest, ...others] = lists.toSorted((one, other) => one.length - other.length)
  if (shortest === undefined) return
  const cursors = others.map(() => 0)
  for (const number of shortest) {
    let isInAll = true
    for (let place = 0; place < others.length && isInAll; place += 1) {
      const list = others[place] ?? shortest
      const cursor = advance(list, cursors[place] ?? 0, number)
      if (cursor === list.length) return
      cursors[place] = cursor
      isInAll = list[cursor] === number
    }
    if (isInAll) yield number
  }
}

/** Numbers that are in any of the lists; of one list, the list itself. */
export function unite(lists: readonly Uint32Array[]): Uint32Array {
  const [only = new Uint32Array(), ...others] = lists
  if (others.length === 0) return only
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const list of lists) {
    all.set(list, end)
    end += list.length
  }
  all.sort()
  let size = 1
  for (let place = 1; place < all.length; place += 1) {
    const number = all[place] ?? 0
    if (number === all[size - 1]) continue
    all[size] = number
    size += 1
  }
  return all.subarray(0, size)
}

export function hasNumber(list: Uint32Array, number: number): boolean {
  return list[firstFrom(list, 0, list.length, number)] === number
}

/** Where the first number of at least `least` is, looked for in steps that double. */
function advance(list: Uint32Array, cursor: number, least: number): number {
  let step = 1
  let begin = cursor
  let end = cursor
  while (end < list.length && (list[end] ?? 0) < least) {
    begin = end + 1
    end += step
    step *= 2
  }
  return firstFrom(list, begin, Math.min(end, list.length), least)
}
