/**
 * Media of one dataset as JSON lines, page by page, one request at a time with a pause between
 * them. What was fetched is on disk before the next request, so a pull that is killed or refused
 * goes on where it stopped.
 */
import { UpstreamError } from '../errors/upstream-error.js'
import type { AnilistClient } from './client.js'
import { systemClock, type Clock } from '../util/clock.js'
import type { Logger } from './logger.js'
import { readMediaPage, type MediaPage } from './media.js'
import { openPartialFile } from './partial-file.js'
import { mediaQuery } from './queries.js'
import type { QueryResult } from './result.js'

export interface PullOptions {
  readonly client: AnilistClient
  readonly dataset: 'anime' | 'manga'
  /** The file that appears at the end. */
  readonly path: string
  /** How many pages at most, those of earlier runs included. */
  readonly pages: number
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
  const { client, dataset, path, pages, logger, onPage, clock = systemClock, signal } = options
  const query = mediaQuery(dataset)
  const file = await openPartialFile(path, `${query}\n${entriesPerPage}`, (reason) =>
    logger.warn({ path }, `${reason}; starting afresh`),
  )
  const resumedPages = file.nextPage - 1
  try {
    while (!file.atEnd && file.nextPage <= pages) {
      if (file.nextPage > resumedPages + 1) await clock.sleep(pauseBetweenPagesMs, signal)
      const page = await fetchPage(client, query, dataset, file.nextPage, signal)
      if (page.unusable > 0) {
        logger.warn({ page: file.nextPage }, `${page.unusable} entries without an id are left out`)
      }
      // An empty page that promises another would go on for ever.
      await file.append(page.records, page.hasNextPage && page.records.length > 0)
      onPage?.({ page: file.nextPage - 1, entries: file.entries })
    }
    await file.finish()
    const { nextPage, entries, atEnd } = file
    return { page: nextPage - 1, entries, resumedPages, hasMore: !atEnd }
  } finally {
    await file.close()
  }
}

async function fetchPage(
  client: AnilistClient,
  query: string,
  dataset: 'anime' | 'manga',
  page: number,
  signal: AbortSignal | undefined,
): Promise<MediaPage> {
  const variables = { page, perPage: entriesPerPage }
  const result = await client.query(query, variables, signal === undefined ? {} : { signal })
  const media = result.kind === 'answer' ? readMediaPage(result.body, dataset) : null
  if (media !== null) return media
  throw pageError(page, result)
}

function pageError(page: number, result: QueryResult): UpstreamError {
  const failure = `page ${page} could not be fetched`
  switch (result.kind) {
    case 'failed': {
      const { code, message, status } = result.error
      const details = status === undefined ? {} : { status }
      return new UpstreamError(code, `${failure}: ${message}`, { ...details, cause: result.error })
    }
    case 'graphql-errors': {
      const messages = result.errors.map(({ message }) => message).join('; ')
      return new UpstreamError('EGRAPHQL', `${failure}: ${messages}`, { status: 200 })
    }
    case 'not-found':
      return new UpstreamError('ESTATUS', `${failure}: status 404, expected 200`, { status: 404 })
    case 'answer':
      return new UpstreamError('EBODY', `${failure}: the response holds no page of media`)
  }
}
