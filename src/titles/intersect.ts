/** Numbers that are in all of several ascending lists, in order. */
import { firstFrom } from './text-set.js'

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

/** Where the first number of at least `least` stands, looked for in steps that double. */
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
