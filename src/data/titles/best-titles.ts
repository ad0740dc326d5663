/** Collects the titles of the most promising rows out of any number that are offered, one of each row. */
import type { Titles } from './open-titles.js'

/** Of each row; a higher one is offered first where there are too many. Shorter titles otherwise. */
export type Popularity = ArrayLike<number>

export interface BestTitles {
  readonly offer: (title: number) => void
  offerAll(list: Iterable<number>): void
  /** The best first. */
  take(): readonly number[]
}

export function createBestTitles(
  titles: Titles,
  count: number,
  popularity?: Popularity,
): BestTitles {
  const room = 2 * count + 64
  const scores = new Float64Array(room)
  const held = new Uint32Array(room)
  let size = 0
  let least = -Infinity

  function scoreOf(title: number): number {
    if (popularity === undefined) return -title
    const known = popularity[titles.row(title)] ?? Number.NaN
    return Number.isNaN(known) ? -Infinity : known
  }

  /** Drops all but the best `count` rows. */
  function settle(): void {
    const order = Array.from({ length: size }, (_, place) => place)
    order.sort(
      (one, other) =>
        (scores[other] ?? 0) - (scores[one] ?? 0) || (held[one] ?? 0) - (held[other] ?? 0),
    )
    const rows = new Set<number>()
    const best: [number, number][] = []
    for (const place of order) {
      const title = held[place] ?? 0
      const row = titles.row(title)
      if (rows.has(row)) continue
      rows.add(row)
      best.push([title, scores[place] ?? 0])
      if (best.length === count) break
    }
    best.forEach(([title, score], place) => {
      held[place] = title
      scores[place] = score
    })
    size = best.length
    if (size === count) least = scores[size - 1] ?? -Infinity
  }

  function offer(title: number): void {
    const score = scoreOf(title)
    if (score < least) return
    if (size === room) settle()
    held[size] = title
    scores[size] = score
    size += 1
  }

  return {
    offer,
    offerAll(list) {
      for (const title of list) offer(title)
    },
    take() {
      settle()
      return [...held.subarray(0, size)]
    },
  }
}
