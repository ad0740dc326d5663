/** Pages are slices of one total order. They never overlap and leave no entry out. */

/** The largest rank that a request may reach: the page times the results of a page. */
export const maxResultWindow = 10_000

export interface Pagination {
  readonly page: number
  readonly resultsPerPage: number
  readonly totalResults: number
  /** Those that a request may ask for. */
  readonly totalPages: number
  /** Of the total, those on these pages. */
  readonly reachableResults: number
}

export interface Slice {
  readonly pagination: Pagination
  /** First position of the page in the total order, and the position after its last; equal past the last page. */
  readonly begin: number
  readonly end: number
}

export function sliceOf(page: number, resultsPerPage: number, totalResults: number): Slice {
  const begin = Math.min((page - 1) * resultsPerPage, totalResults)
  const end = Math.min(begin + resultsPerPage, totalResults)
  const totalPages = Math.min(
    Math.ceil(totalResults / resultsPerPage),
    Math.floor(maxResultWindow / resultsPerPage),
  )
  const reachableResults = Math.min(totalResults, totalPages * resultsPerPage)
  const pagination = { page, resultsPerPage, totalResults, totalPages, reachableResults }
  return { pagination, begin, end }
}
