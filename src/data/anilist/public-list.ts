/** The lists of an AniList user who shows them to everybody. */
import * as v from 'valibot'
import { UpstreamError } from '../../base/errors/index.js'
import type { AnilistClient } from './client.js'
import { failure } from './failure.js'
import { readApiEntry, type FileEntry } from './list-text.js'
import { userListQuery } from './queries.js'
import type { QueryResult } from './result.js'

/** The most that the service gives at once. */
const entriesPerChunk = 500
/** The service ends a list after 11 000 entries. */
const maxChunks = 25

const pageSchema = v.object({
  data: v.object({
    MediaListCollection: v.object({
      hasNextChunk: v.nullish(v.boolean(), null),
      lists: v.nullable(
        v.array(v.nullable(v.object({ entries: v.nullable(v.array(v.unknown())) }))),
      ),
    }),
  }),
})

interface PublicListOptions {
  /** For each request to AniList, with its waits; the client's own if absent. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Each work once, though it may be on several lists.
 * @throws UpstreamError that says what to do; its `status` is 404 for a user who does not exist or whose lists are private
 */
export async function readPublicList(
  client: AnilistClient,
  dataset: 'anime' | 'manga',
  userName: string,
  { deadlineMs, signal }: PublicListOptions = {},
): Promise<readonly FileEntry[]> {
  const entries = new Map<number, FileEntry>()
  const type = dataset === 'anime' ? 'ANIME' : 'MANGA'
  const options = { ...(deadlineMs !== undefined && { deadlineMs }), ...(signal && { signal }) }
  for (let chunk = 0; chunk < maxChunks; chunk += 1) {
    const variables = { userName, type, chunk, perChunk: entriesPerChunk }
    const result = await client.query(userListQuery, variables, options)
    const page = v.safeParse(pageSchema, result.kind === 'answer' ? result.body : null)
    if (!page.success) throw faultOf(result, userName)
    const { lists, hasNextChunk } = page.output.data.MediaListCollection
    for (const entry of (lists ?? []).flatMap((list) => list?.entries ?? []).flatMap(readApiEntry))
      if (entry.mediaId !== null) entries.set(entry.mediaId, entry)
    const isEmpty = lists === null || lists.length === 0
    if (hasNextChunk !== true || (isEmpty && chunk > 0)) break
  }
  return [...entries.values()]
}

const useExport = 'or export your lists at AniList and use the file'

function faultOf(result: QueryResult, userName: string): UpstreamError {
  const errors = 'errors' in result ? result.errors : []
  if (errors.some(({ message }) => /private/i.test(message)))
    return missing(`AniList keeps the lists of ${userName} private. Make the profile public there`)
  if (result.kind === 'not-found' || errors.some(({ status }) => status === 404))
    return missing(`AniList has no public lists of a user named ${userName}. Check the spelling`)
  const fault = failure(`AniList could not give the lists of ${userName}`, result)
  const { code, status, retryAfterSeconds } = fault
  if (retryAfterSeconds === undefined) return fault
  const wait = `Try again in ${retryAfterSeconds} seconds`
  return new UpstreamError(code, `AniList accepts no more requests for now. ${wait}.`, {
    status,
    retryAfterSeconds,
    cause: fault,
  })
}

const missing = (problem: string) =>
  new UpstreamError('ESTATUS', `${problem}, ${useExport}.`, { status: 404 })
