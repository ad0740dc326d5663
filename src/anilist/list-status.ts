/**
 * Which works the signed-in user has on a list. A request that fails means "not on the list", as
 * for every caller of this endpoint; it is logged and never cached, so the next call tries again.
 */
import * as v from 'valibot'
import type { AnilistClient } from './client.js'
import { systemClock, type Clock } from './clock.js'
import type { Logger } from './logger.js'
import { listQuery, viewerQuery } from './queries.js'
import { bodyOrNull, type QueryResult } from './result.js'

export type ListStatus = (typeof statuses)[number]

export interface ListStatusOptions {
  readonly client: AnilistClient
  readonly dataset: 'anime' | 'manga'
  readonly logger: Logger
  /** How long a list that was read whole is used again. */
  readonly ttlMs?: number
  readonly clock?: Clock
}

/** Ids that are not on a list are not in the map. Rejects only with the signal's reason. */
export type ListStatusLookup = (
  mediaIds: Iterable<number>,
  signal?: AbortSignal,
) => Promise<Map<number, ListStatus>>

export const defaultListTtlMs = 300_000
/** The most that the service gives at once. */
export const entriesPerChunk = 500

export function createListStatus(options: ListStatusOptions): ListStatusLookup {
  const { client, dataset, logger, ttlMs = defaultListTtlMs, clock = systemClock } = options
  let cached: { readonly list: Map<number, ListStatus>; readonly until: number } | undefined

  let reading: Promise<ReadList> | undefined

  /** One read at a time serves everybody who asks meanwhile. */
  function readOnce(): Promise<ReadList> {
    reading ??= readList(client, dataset, logger)
      .then((read) => {
        cached = read.whole ? { list: read.list, until: clock.now() + ttlMs } : undefined
        return read
      })
      .finally(() => (reading = undefined))
    return reading
  }

  return async function listStatus(mediaIds, signal) {
    signal?.throwIfAborted()
    const ids = [...mediaIds]
    if (cached !== undefined && clock.now() < cached.until) return pick(cached.list, ids)
    return pick((await unlessAborted(readOnce(), signal)).list, ids)
  }
}

/** Whoever leaves early does not stop the read for the others. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let onAbort: () => void = () => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface ReadList {
  readonly list: Map<number, ListStatus>
  /** False where a request failed and works may be missing. */
  readonly whole: boolean
}

async function readList(
  client: AnilistClient,
  dataset: 'anime' | 'manga',
  logger: Logger,
): Promise<ReadList> {
  const list = new Map<number, ListStatus>()
  const viewerResult = await client.query(viewerQuery)
  const viewer = understood(viewerSchema, viewerResult, 'the signed-in user', logger)
  if (viewer === undefined) return { list, whole: false }
  const type = dataset === 'anime' ? 'ANIME' : 'MANGA'
  for (let chunk = 0; chunk < mostChunks; chunk += 1) {
    const variables = { userId: viewer.data.Viewer.id, type, chunk, perChunk: entriesPerChunk }
    const result = await client.query(listQuery, variables)
    const page = understood(listSchema, result, `chunk ${chunk} of the list`, logger)
    if (page === undefined) return { list, whole: false }
    const { lists, hasNextChunk } = page.data.MediaListCollection
    for (const entry of (lists ?? []).flatMap((group) => group?.entries ?? [])) {
      if (entry !== null) list.set(entry.mediaId, entry.status)
    }
    const isEmpty = lists === null || lists.length === 0
    if (hasNextChunk === false || (isEmpty && chunk > 0)) return { list, whole: true }
  }
  logger.warn({ mostChunks }, `the list goes on after ${mostChunks} chunks; the rest is not read`)
  return { list, whole: false }
}

/** The body in the shape asked for; undefined, and a line in the log, for anything else. */
function understood<Schema extends v.GenericSchema>(
  schema: Schema,
  result: QueryResult,
  what: string,
  logger: Logger,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, bodyOrNull(result))
  if (parsed.success && result.kind === 'answer') return parsed.output
  const reason = reasonOf(result)
  logger.warn({ kind: result.kind }, `${what} could not be read (${reason}); assumed not on a list`)
  return undefined
}

function reasonOf(result: QueryResult): string {
  if (result.kind === 'failed') return result.error.message
  if (result.kind === 'graphql-errors') return result.errors.map((e) => e.message).join('; ')
  return result.kind === 'not-found' ? 'not found' : 'the answer has another shape than expected'
}

function pick(list: Map<number, ListStatus>, mediaIds: Iterable<number>): Map<number, ListStatus> {
  const found = new Map<number, ListStatus>()
  for (const id of mediaIds) {
    const status = list.get(id)
    if (status !== undefined) found.set(id, status)
  }
  return found
}

/** The service ends a list after 11 000 entries; this only ends a loop that would not. */
const mostChunks = 100

const viewerSchema = v.object({
  data: v.object({ Viewer: v.object({ id: v.number() }) }),
})

const statuses = ['CURRENT', 'PLANNING', 'COMPLETED', 'DROPPED', 'PAUSED', 'REPEATING'] as const

/** An entry that is not understood, say for a status of the future, does not cost the others. */
const entrySchema = v.fallback(
  v.nullable(v.object({ mediaId: v.number(), status: v.picklist(statuses) })),
  null,
)

const listSchema = v.object({
  data: v.object({
    MediaListCollection: v.object({
      hasNextChunk: v.nullish(v.boolean(), null),
      lists: v.nullable(
        v.array(v.nullable(v.object({ entries: v.nullable(v.array(entrySchema)) }))),
      ),
    }),
  }),
})
