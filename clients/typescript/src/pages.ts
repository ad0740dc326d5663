/** Results over all pages, each page read when it is needed. */
import type { Pagination } from './types.js'

interface Page<Result> {
  readonly results: readonly Result[]
  readonly pagination?: Pagination
}

export async function* resultsOf<Result>(
  firstPage: number | undefined,
  read: (page: number) => Promise<Page<Result>>,
): AsyncGenerator<Result, void, undefined> {
  for (let page = firstPage ?? 1; ; page += 1) {
    const { results, pagination } = await read(page)
    yield* results
    if (page >= (pagination?.totalPages ?? 0)) return
  }
}
