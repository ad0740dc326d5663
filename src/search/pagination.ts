/** Pages are slices of one total order: none overlaps, none leaves an entry out. */

/** Deepest rank that can be asked for: page * resultsPerPage. */
export const deepestRank = 10_000

export interface Pagination {
  readonly page: number
  readonly resultsPerPage: number
  readonly totalResults: number
  readonly totalPages: number
}

export interface Slice {
  readonly pagination: Pagination
  /** Positions of the page in the total order, the end left out; equal past the last page. */
  readonly begin: number
  readonly end: number
}

export function sliceOf(page: number, resultsPerPage: number, totalResults: number): Slice {
  const begin = Math.min((page - 1) * resultsPerPage, totalResults)
  const end = Math.min(begin + resultsPerPage, totalResults)
  const totalPages = Math.ceil(totalResults / resultsPerPage)
  return { pagination: { page, resultsPerPage, totalResults, totalPages }, begin, end }
}
