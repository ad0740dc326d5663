/** The place of a work among the best known, from the popularity that the catalogue stores. */

/**
 * @param popularity of each row, -ln(rank / works); NaN where unknown
 * @returns the rank of a row, 1 for the best known; null where unknown
 */
export function popularityRanks(
  popularity: Float32Array | undefined,
): (row: number) => number | null {
  const works = popularity?.reduce((sum, value) => sum + Number(!Number.isNaN(value)), 0) ?? 0
  return (row) => {
    const value = popularity?.[row] ?? NaN
    return Number.isNaN(value) ? null : Math.max(1, Math.round(works * Math.exp(-value)))
  }
}
