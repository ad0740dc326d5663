/** The place of a work among the best known, from the popularity that the catalogue stores. */

/**
 * @param popularity of each row, -ln(rank / works); NaN where unknown
 * @returns the rank of a row, 1 for the best known; null where unknown
 */
export function popularityRanks(
  popularity: Float32Array | undefined,
): (row: number) => number | null {
  const works = popularity === undefined ? 0 : rankedWorks(popularity)
  return (row) => {
    const value = popularity?.[row] ?? NaN
    return Number.isNaN(value) ? null : Math.max(1, Math.round(works * Math.exp(-value)))
  }
}

/** Every search needs it, and an array does not change. */
const counts = new WeakMap<Float32Array, number>()

function rankedWorks(popularity: Float32Array): number {
  const known = counts.get(popularity)
  if (known !== undefined) return known
  let count = 0
  for (const value of popularity) if (!Number.isNaN(value)) count += 1
  counts.set(popularity, count)
  return count
}
