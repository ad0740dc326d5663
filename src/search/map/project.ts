/** Vectors as points of a plane, near ones near, the same points in every build. */
import { fuzzyGraph } from './fuzzy-graph.js'
import { layOut } from './layout.js'
import { findNeighbours } from './neighbours.js'
import { principalCoordinates } from './principal-axes.js'
import { seededRandom } from './random.js'
import type { WorkVectors } from './work-vectors.js'

/** Points lie from 0 to this in both directions. */
export const extent = 65_535

export interface ProjectOptions {
  /** Where a matrix may lie meanwhile. */
  readonly folder: string
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number) => void) | undefined
}

/** Few neighbours show small groups, many show the whole. */
const neighbourCount = 15
/** Searching them is about this part of the work. */
const searchShare = 0.4
/** How wide the layout begins. */
const startSpread = 5

/** @returns two coordinates a vector */
export async function project(
  vectors: WorkVectors,
  { folder, signal, onProgress }: ProjectOptions,
): Promise<Uint16Array> {
  const rows = vectors.rows.length
  const start = principalCoordinates(vectors.values, vectors.dimension)
  // Too few for a layout: the axes themselves are the map.
  if (rows <= neighbourCount + 1) return fit(start)
  const neighbours = await findNeighbours(vectors, {
    count: neighbourCount,
    folder,
    signal,
    onProgress: (share) => onProgress?.(share * searchShare),
  })
  const random = seededRandom(3)
  // Equal vectors would never part.
  const points = start.map((value) => startSpread * value + 0.01 * random())
  await layOut(fuzzyGraph(neighbours), {
    points,
    signal,
    onProgress: (share) => onProgress?.(searchShare + (1 - searchShare) * share),
  })
  return fit(turned(points))
}

/** Screens are wide: the direction in which the points spread most lies across, the first work on the left. */
function turned(points: Float64Array): Float64Array {
  const works = points.length / 2
  const mean = [0, 1].map(
    (axis) => points.reduce((sum, value, at) => sum + (at % 2 === axis ? value : 0), 0) / works,
  )
  let [xx, xy, yy] = [0, 0, 0]
  for (let at = 0; at < points.length; at += 2) {
    const dx = (points[at] ?? 0) - (mean[0] ?? 0)
    const dy = (points[at + 1] ?? 0) - (mean[1] ?? 0)
    xx += dx * dx
    xy += dx * dy
    yy += dy * dy
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = (at: number) => (points[at] ?? 0) * cos + (points[at + 1] ?? 0) * sin
  const isLeft = along(0) <= (mean[0] ?? 0) * cos + (mean[1] ?? 0) * sin
  const way = isLeft ? 1 : -1
  return Float64Array.from(points, (value, at) =>
    at % 2 === 0 ? way * along(at) : way * (value * cos - (points[at - 1] ?? 0) * sin),
  )
}

/** A few far points would leave little room to the others: they are moved to the margin. */
const farShare = 0.002

/** The same scale in both directions, so that distances mean the same. */
function fit(coordinates: Float64Array): Uint16Array {
  const bounds = [0, 1].map((axis) => {
    const sorted = coordinates.filter((_, at) => at % 2 === axis).sort()
    const far = Math.floor(sorted.length * farShare)
    return { low: sorted[far] ?? 0, high: sorted[sorted.length - 1 - far] ?? 0 }
  })
  const size = 1.06 * Math.max(...bounds.map(({ low, high }) => high - low), 1e-9)
  return Uint16Array.from(coordinates, (value, at) => {
    const { low, high } = bounds[at % 2] ?? { low: 0, high: 0 }
    const share = (value - (low + high) / 2) / size + 0.5
    return Math.round(Math.min(1, Math.max(0, share)) * extent)
  })
}
