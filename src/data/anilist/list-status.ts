/**
 * Which works the signed-in user has on a list. A request that fails means "not on the list", as
 * for every caller of this endpoint; it is logged and never cached, so the next call tries again.
 */
import * as v from 'valibot'
import type { AnilistClient } from './client.js'
import { systemClock, type Clock } from '../../base/util/clock.js'
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
  /** Ends a read that is under way; what was read so far is its result. */
  readonly signal?: AbortSignal
}

/** A work on one of the user's lists. */
interface ListEntry {
  /** AniList's. */
  readonly mediaId: number
  /** MyAnimeList's; null where AniList knows none. */
  readonly malId: number | null
  readonly status: ListStatus
}

export interface UserList {
  readonly entries: ReadonlyMap<number, ListEntry>
  /** False where a request failed and works may be missing. */
  readonly whole: boolean
}

/** Never rejects. */
export type ListReader = () => Promise<UserList>

const defaultListTtlMs = 300_000
/** The most that the service gives at once. */
const entriesPerChunk = 500

/** Returns the same list while it is fresh; concurrent callers share one read. */
export function createListReader(options: ListStatusOptions): ListReader {
  const { ttlMs = defaultListTtlMs, clock = systemClock } = options
  let cached: { readonly list: UserList; readonly until: number } | undefined
  let reading: Promise<UserList> | undefined

  async function readAgain(): Promise<UserList> {
    const list = await readList(options)
    cached = list.whole ? { list, until: clock.now() + ttlMs } : undefined
    return list
  }

  return async () => {
    if (cached !== undefined && clock.now() < cached.until) return cached.list
    reading ??= readAgain().finally(() => (reading = undefined))
    return reading
  }
}

async function readList({ client, dataset, logger, signal }: ListStatusOptions): Promise<UserList> {
  const entries = new Map<number, ListEntry>()
  const ask = async (query: string, variables: Readonly<Record<string, unknown>> | null) => {
    try {
      return await client.query(query, variables, signal === undefined ? {} : { signal })
    } catch (error) {
      // Nobody waits any longer; what else a client rejects with is a mistake of ours.
      if (signal?.aborted) return undefined
      throw error
    }
  }
  const viewerResult = await ask(viewerQuery, null)
  const viewer = understood(viewerSchema, viewerResult, 'the signed-in user', logger)
  if (viewer === undefined) return { entries, whole: false }
  const type = dataset === 'anime' ? 'ANIME' : 'MANGA'
  for (let chunk = 0; chunk < mostChunks; chunk += 1) {
    const variables = { userId: viewer.data.Viewer.id, type, chunk, perChunk: entriesPerChunk }
    const result = await ask(listQuery, variables)
    const page = understood(listSchema, result, `chunk ${chunk} of the list`, logger)
    if (page === undefined) return { entries, whole: false }
    const { lists, hasNextChunk } = page.data.MediaListCollection
    for (const entry of (lists ?? []).flatMap((group) => group?.entries ?? [])) {
      if (entry === null) continue
      const { mediaId, status, media } = entry
      entries.set(mediaId, { mediaId, malId: media?.idMal ?? null, status })
    }
    const isEmpty = lists === null || lists.length === 0
    if (hasNextChunk === false || (isEmpty && chunk > 0)) return { entries, whole: true }
  }
  logger.warn({ mostChunks }, `the list goes on after ${mostChunks} chunks; the rest is not read`)
  return { entries, whole: false }
}

/** The body in the expected shape; undefined, and a line in the log, for anything else. */
function understood<Schema extends v.GenericSchema>(
  schema: Schema,
  result: QueryResult | undefined,
  what: string,
  logger: Logger,
): v.InferOutput<Schema> | undefined {
  if (result === undefined) return undefined
  const parsed = v.safeParse(schema, bodyOrNull(result))
  if (parsed.success && result.kind === 'answer') return parsed.output
  const reason = reasonOf(result)
  logger.warn({ kind: result.kind }, `${what} could not be read (${reason}); assumed not on a list`)
  return undefined
}

function reasonOf(result: QueryResult): string {
  if (result.kind === 'failed') return result.error.message
  if (result.kind === 'graphql-errors') return result.errors.map((e) => e.message).join('; ')
  return result.kind === 'not-found' ? 'not found' : 'the response has another shape than expected'
}

/** The service ends a list after 11 000 entries; this only ends a loop that would not. */
const mostChunks = 100

const viewerSchema = v.object({
  data: v.object({ Viewer: v.object({ id: v.number() }) }),
})

const statuses = ['CURRENT', 'PLANNING', 'COMPLETED', 'DROPPED', 'PAUSED', 'REPEATING'] as const

/** An entry that is not understood, say for a status of the future, does not cost the others. */
const entrySchema = v.fallback(
  v.nullable(
    v.object({
      mediaId: v.number(),
      status: v.picklist(statuses),
      media: v.fallback(v.nullish(v.object({ idMal: v.nullish(v.number(), null) }), null), null),
    }),
  ),
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
