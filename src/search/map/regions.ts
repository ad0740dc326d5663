/** Regions of a map, and what the works of each have in common that others lack. */
import { seededRandom } from './random.js'
import type { Trait } from './work-vectors.js'

export interface Region {
  /** 0 is seen from afar; higher levels when one comes nearer. */
  readonly level: number
  readonly x: number
  readonly y: number
  /** The weightiest first. */
  readonly words: readonly string[]
  readonly works: number
}

/** Works a region, of each level. */
const levels = [0.08, 0.022, 0.0055] as const
const minWorks = 12
const maxWords = 2
/** A trait names a region if so many of its works have it. */
const minShare = 0.18
const rounds = 12

/** @param points two coordinates a work; the traits' rows are positions among them */
export function findRegions(points: Uint16Array, traits: readonly Trait[]): Region[] {
  const works = points.length / 2
  return levels.flatMap((share, level) => {
    const count = Math.floor(works / Math.max(minWorks, works * share))
    if (count < 2) return []
    const cells = cluster(points, count)
    return nameCells(points, cells, count, traits).map((region) => ({ level, ...region }))
  })
}

/** k-means. @returns the cell of each point */
function cluster(points: Uint16Array, count: number): Uint32Array {
  const works = points.length / 2
  const random = seededRandom(count)
  const centres = Float64Array.from({ length: 2 * count })
  // Each from another of as many equal parts of the works, so that crowded places get more.
  for (let cell = 0; cell < count; cell++) {
    const work = Math.floor(random() * works)
    centres.set(points.subarray(2 * work, 2 * work + 2), 2 * cell)
  }
  const cells = new Uint32Array(works)
  for (let round = 0; round < rounds; round++) {
    const sums = new Float64Array(3 * count)
    for (let work = 0; work < works; work++) {
      const [x, y] = [points[2 * work] ?? 0, points[2 * work + 1] ?? 0]
      let best = 0
      let bestSquare = Infinity
      for (let cell = 0; cell < count; cell++) {
        const dx = x - (centres[2 * cell] ?? 0)
        const dy = y - (centres[2 * cell + 1] ?? 0)
        const square = dx * dx + dy * dy
        if (square >= bestSquare) continue
        best = cell
        bestSquare = square
      }
      cells[work] = best
      sums[3 * best] = (sums[3 * best] ?? 0) + x
      sums[3 * best + 1] = (sums[3 * best + 1] ?? 0) + y
      sums[3 * best + 2] = (sums[3 * best + 2] ?? 0) + 1
    }
    for (let cell = 0; cell < count; cell++) {
      const members = sums[3 * cell + 2] ?? 0
      if (members === 0) continue
      centres[2 * cell] = (sums[3 * cell] ?? 0) / members
      centres[2 * cell + 1] = (sums[3 * cell + 1] ?? 0) / members
    }
  }
  return cells
}

interface Claim {
  readonly cell: number
  readonly word: string
  readonly weight: number
}

function nameCells(
  points: Uint16Array,
  cells: Uint32Array,
  count: number,
  traits: readonly Trait[],
): Omit<Region, 'level'>[] {
  const members = Array.from({ length: count }, (): number[] => [])
  cells.forEach((cell, work) => members[cell]?.push(work))
  const claims = traits.flatMap(({ name, rows }) => {
    const inCell = new Uint32Array(count)
    for (const row of rows) {
      const cell = cells[row] ?? 0
      inCell[cell] = (inCell[cell] ?? 0) + 1
    }
    const usual = rows.length / cells.length
    return [...inCell].flatMap((some, cell): Claim[] => {
      const works = members[cell]?.length ?? 0
      const share = some / works
      if (works < minWorks || !(share >= minShare) || share <= usual) return []
      return [{ cell, word: name, weight: share * Math.log(share / usual) }]
    })
  })
  claims.sort((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
  const words = Array.from({ length: count }, (): string[] => [])
  const taken = new Set<string>()
  // A word names only the region where it is strongest.
  for (const { cell, word } of claims) {
    const own = words[cell] ?? []
    if (own.length >= maxWords || taken.has(word)) continue
    own.push(word)
    taken.add(word)
  }
  return members.flatMap((works, cell) => {
    const own = words[cell] ?? []
    if (own.length === 0) return []
    const middle = (axis: number) =>
      works.map((work) => points[2 * work + axis] ?? 0).sort((a, b) => a - b)[works.length >> 1] ??
      0
    return [{ x: middle(0), y: middle(1), words: own, works: works.length }]
  })
}
