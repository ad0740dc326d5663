/** Ids of the works on the lists of a user, whose lists are public. */
import * as v from 'valibot'
import type { AnilistClient } from './client.js'
import { failure } from './failure.js'
import { userListQuery } from './queries.js'

/** The most that the service gives at once. */
const entriesPerChunk = 500
/** The service ends a list after 11 000 entries. */
const maxChunks = 25

const listSchema = v.object({
  data: v.object({
    MediaListCollection: v.object({
      hasNextChunk: v.nullish(v.boolean(), null),
      lists: v.nullable(
        v.array(v.nullable(v.object({ entries: v.nullable(v.array(v.unknown())) }))),
      ),
    }),
  }),
})
const entrySchema = v.object({ mediaId: v.pipe(v.number(), v.safeInteger()) })

/** In ascending order. Throws an UpstreamError where they cannot be had. */
export async function readListIds(
  client: AnilistClient,
  dataset: 'anime' | 'manga',
  userName: string,
): Promise<readonly number[]> {
  const ids = new Set<number>()
  const type = dataset === 'anime' ? 'ANIME' : 'MANGA'
  for (let chunk = 0; chunk < maxChunks; chunk += 1) {
    const variables = { userName, type, chunk, perChunk: entriesPerChunk }
    const result = await client.query(userListQuery, variables, {})
    const parsed = v.safeParse(listSchema, result.kind === 'answer' ? result.body : null)
    if (!parsed.success) throw failure(`the lists of ${userName} could not be read`, result)
    const { lists, hasNextChunk } = parsed.output.data.MediaListCollection
    for (const entry of (lists ?? []).flatMap((list) => list?.entries ?? [])) {
      const known = v.safeParse(entrySchema, entry)
      if (known.success) ids.add(known.output.mediaId)
    }
    const isEmpty = lists === null || lists.length === 0
    if (hasNextChunk !== true || (isEmpty && chunk > 0)) break
  }
  return [...ids].sort((one, other) => one - other)
}
