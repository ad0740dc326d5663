/** POST /lists/anime and /lists/manga: the public lists of an AniList user. Only with `--anilist-users on`. */
import { workDatasets, type DatasetName } from '../../../data/catalogue/catalogue.js'
import { NotFoundError, UpstreamError } from '../../../base/errors/index.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems } from '../openapi/problems.js'
import { readJson } from '../read-json.js'
import { requireNoQuery } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { userListRequest, userListResponse, type ListedWork } from '../../schemas/user-lists.js'
import type { AppServices, PublicLists } from '../services.js'

export function userListRoutes(
  { browse, publicLists, settings }: Pick<AppServices, 'browse' | 'publicLists' | 'settings'>,
  { admit, work }: Guards,
): Route[] {
  if (publicLists === undefined) return []
  return workDatasets.map((dataset) => ({
    group: 'browse',
    method: 'POST',
    path: `/lists/${dataset}`,
    operation: describe(dataset),
    guards: admit,
    async handler(c) {
      await requireNoQuery(c)
      const { anilistUser } = await readJson(c, userListRequest, settings.bodyLimit)
      // It waits for another service, which is not work of this server: it takes no slot.
      const listed = await publicLists(dataset, anilistUser, c.get('signal')).catch(notFound)
      const works = await work(c, () => worksOf(browse, dataset, listed))
      return c.json({ works, total: listed.length })
    },
  }))
}

function notFound(error: unknown): never {
  if (error instanceof UpstreamError && error.status === 404)
    throw new NotFoundError(error.message, { cause: error })
  throw error
}

type Listed = Awaited<ReturnType<PublicLists>>

/** Entries that either site's id names, each with the first of the list. */
async function worksOf(
  browse: AppServices['browse'],
  dataset: DatasetName,
  listed: Listed,
): Promise<readonly ListedWork[]> {
  const works = new Map<number, ListedWork>()
  for (const [site, member] of [
    ['anilist', 'mediaId'],
    ['mal', 'malId'],
  ] as const) {
    const bySite = new Map(
      listed.flatMap((one) => (one[member] === null ? [] : [[one[member], one] as const])),
    )
    for (const { siteId, id } of await browse.entriesOfSite(dataset, site, [...bySite.keys()])) {
      const one = bySite.get(siteId)
      if (one && !works.has(id)) works.set(id, { id, status: one.status, score: one.score })
    }
  }
  return [...works.values()]
}

const describe = (dataset: DatasetName): Operation => ({
  id: `read${titleOf(dataset)}Lists`,
  tag: 'Browse',
  summary: `The ${dataset} on the public lists of an AniList user`,
  description:
    'The server reads the lists from AniList and stores nothing of them. Only with `--anilist-users on`.',
  body: {
    schema: userListRequest,
    examples: { Somebody: { summary: 'A user', value: { anilistUser: 'Somebody' } } },
  },
  responses: { 200: { description: 'The works.', schema: userListResponse } },
  problems: [...bodyProblems, ...admitProblems, 'not-found', 'upstream-failed', 'dataset-missing'],
})
