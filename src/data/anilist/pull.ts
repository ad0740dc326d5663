/**
 * Media of one dataset as JSON lines, page by page, one request at a time with a pause between
 * them. What was fetched is on disk before the next request, so a pull that is killed or refused
 * goes on where it stopped.
 */
import type { AnilistClient } from './client.js'
import { failure } from './failure.js'
import { systemClock, type Clock } from '../../base/util/clock.js'
import type { Logger } from './logger.js'
import { readMediaPage, type MediaPage } from './media.js'
import { openPartialFile } from './partial-file.js'
import { mediaByIdsQuery, mediaQuery } from './queries.js'

export interface PullOptions {
  readonly client: AnilistClient
  readonly dataset: 'anime' | 'manga'
  /** The file that appears at the end. */
  readonly path: string
  /** How many pages at most, those of earlier runs included. */
  readonly pages: number
  /** How many of the best-known works at most; all of the pages' by default. */
  readonly limit?: number | undefined
  /** Of the works to fetch, a page of them at a time; left out, the best-known ones. */
  readonly ids?: readonly number[] | undefined
  readonly logger: Logger
  readonly onPage?: (progress: PullProgress) => void
  readonly clock?: Clock
  readonly signal?: AbortSignal
}

export interface PullProgress {
  /** Pages so far, those of earlier runs included. */
  readonly page: number
  readonly entries: number
}

export interface PullSummary extends PullProgress {
  /** Pages that an earlier run had fetched. */
  readonly resumedPages: number
  /** Whether the dataset goes on after the last page. */
  readonly hasMore: boolean
}

/** The most that the service gives at once. */
export const entriesPerPage = 50

/** The service says 90 requests a minute and, for years now, serves 30. */
const pauseBetweenPagesMs = 2_000

/** Throws an UpstreamError when a page cannot be had, or the signal's reason when aborted. */
export async function pullMedia(options: PullOptions): Promise<PullSummary> {
  const {
    client,
    dataset,
    path,
    pages,
    ids,
    limit,
    logger,
    onPage,
    clock = systemClock,
    signal,
  } = options
  const query = ids === undefined ? mediaQuery(dataset) : mediaByIdsQuery(dataset)
  const recipe = [query, entriesPerPage, ...(ids ?? [])].join('\n')
  const file = await openPartialFile(path, recipe, (reason) =>
    logger.warn({ path }, `${reason}; starting afresh`),
  )
  const resumedPages = file.nextPage - 1
  try {
    while (!file.atEnd && file.nextPage <= pages) {
      if (file.nextPage > resumedPages + 1) await clock.sleep(pauseBetweenPagesMs, signal)
      const page = await fetchPage({ client, query, dataset, limit, signal }, file.nextPage, ids)
      if (page.unusable > 0) {
        logger.warn({ page: file.nextPage }, `${page.unusable} entries without an id are left out`)
      }
      // An empty page that promises another would go on for ever.
      await file.append(
        page.records,
        page.hasNextPage && (ids !== undefined || page.records.length > 0),
      )
      onPage?.({ page: file.nextPage - 1, entries: file.entries })
    }
    await file.finish()
    const { nextPage, entries, atEnd } = file
    return { page: nextPage - 1, entries, resumedPages, hasMore: !atEnd }
  } finally {
    await file.close()
  }
}

interface Asking extends Pick<PullOptions, 'client' | 'dataset' | 'limit'> {
  readonly query: string
  readonly signal: AbortSignal | undefined
}

async function fetchPage(
  { client, query, dataset, limit = Infinity, signal }: Asking,
  page: number,
  ids: readonly number[] | undefined,
): Promise<MediaPage> {
  const first = (page - 1) * entriesPerPage
  const next = first + entriesPerPage
  const variables =
    ids === undefined
      ? { page, perPage: entriesPerPage }
      : { page: 1, perPage: entriesPerPage, ids: ids.slice(first, next) }
  const result = await client.query(query, variables, signal === undefined ? {} : { signal })
  const media = result.kind === 'answer' ? readMediaPage(result.body, dataset) : null
  if (media === null) throw failure(`page ${page} could not be fetched`, result)
  // Ids that AniList does not know leave a page short, or empty.
  if (ids !== undefined) return { ...media, hasNextPage: next < ids.length }
  return { ...media, records: media.records.slice(0, limit - first) }
}
