/** GET /titles/…, /entries/… and /facets/…: what a page needs in addition to its searches. */
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import { NotFoundError } from '../../../base/errors/index.js'
import { createEntryBody } from '../entry-body.js'
import { entryIdOf } from '../text-id-routes.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems } from '../openapi/problems.js'
import { revalidatedJson } from '../revalidated-json.js'
import { readJson } from '../read-json.js'
import { siteIdsRequest, siteIdsResponse } from '../../schemas/site-ids.js'
import { readQuery, requireNoQuery } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import {
  entryPath,
  entryQuery,
  entryResponse,
  titlesQuery,
  titlesResponse,
} from '../../schemas/browse.js'
import { facetsResponse } from '../../schemas/facets.js'
import type { AppServices } from '../services.js'

export function browseRoutes(
  { browse, settings, datasets }: Pick<AppServices, 'browse' | 'settings' | 'datasets'>,
  { admit, work }: Guards,
): Route[] {
  const bodyOf = createEntryBody()
  const common = { group: 'browse', method: 'GET', guards: admit } as const
  return datasets.flatMap((dataset): Route[] => [
    {
      ...common,
      path: `/titles/${dataset}`,
      operation: completing(dataset),
      async handler(c) {
        const query = await readQuery(c, titlesQuery)
        const titles = await work(c, () => browse.titles(dataset, query))
        return revalidatedJson(c, { titles })
      },
    },
    {
      ...common,
      path: `/entries/${dataset}/:id`,
      operation: showing(dataset),
      async handler(c) {
        const { spoilers, titles } = await readQuery(c, entryQuery)
        const id = entryIdOf(c)
        const entry = await work(c, () => browse.entry(dataset, id))
        if (entry === undefined) throw new NotFoundError(`There is no ${dataset} with this id.`)
        return revalidatedJson(c, bodyOf(dataset, entry, { spoilers, titles }))
      },
    },
    {
      ...common,
      path: `/facets/${dataset}`,
      operation: counting(dataset),
      async handler(c) {
        await requireNoQuery(c)
        return revalidatedJson(c, await work(c, () => browse.facets(dataset)))
      },
    },
    {
      ...common,
      method: 'POST',
      path: `/ids/${dataset}`,
      operation: findingIds(dataset),
      async handler(c) {
        await requireNoQuery(c)
        const { site, ids } = await readJson(c, siteIdsRequest, settings.bodyLimit)
        return c.json({ works: await work(c, () => browse.entriesOfSite(dataset, site, ids)) })
      },
    },
  ])
}

const completing = (dataset: DatasetName): Operation => ({
  id: `complete${titleOf(dataset)}Titles`,
  tag: 'Browse',
  summary: `Titles of ${dataset} that begin with what is typed`,
  description:
    'For a box that completes while somebody types. All titles of an entry count, in any case, mark and romanisation, with a typo.',
  query: titlesQuery,
  responses: { 200: { description: 'The best first.', schema: titlesResponse } },
  problems: [...admitProblems, 'invalid-request', 'dataset-missing'],
})

const showing = (dataset: DatasetName): Operation => ({
  id: `get${titleOf(dataset)}Entry`,
  tag: 'Browse',
  summary: `All that is known of one ${dataset}`,
  description: 'Its texts by column, its metadata, tags with their meaning, franchise and links.',
  path: entryPath,
  query: entryQuery,
  responses: { 200: { description: 'The entry.', schema: entryResponse } },
  problems: [...admitProblems, 'invalid-request', 'not-found', 'dataset-missing'],
})

const findingIds = (dataset: DatasetName): Operation => ({
  id: `find${titleOf(dataset)}Ids`,
  tag: 'Browse',
  summary: `Entries of ${dataset} by their ids at MyAnimeList or AniList`,
  description:
    'For lists that people export from these sites. The server stores nothing of the request.',
  body: {
    schema: siteIdsRequest,
    examples: {
      'Two works of MyAnimeList': {
        summary: 'Two works of MyAnimeList',
        value: { site: 'mal', ids: [1535, 457] },
      },
    },
  },
  responses: { 200: { description: 'The entries.', schema: siteIdsResponse } },
  problems: [...bodyProblems, ...admitProblems, 'dataset-missing'],
})

const counting = (dataset: DatasetName): Operation => ({
  id: `count${titleOf(dataset)}Facets`,
  tag: 'Browse',
  summary: `What ${dataset} can be filtered by`,
  description: 'Every value with the number of works that have it. Works for adults do not count.',
  responses: { 200: { description: 'By kind of value.', schema: facetsResponse } },
  problems: [...admitProblems, 'dataset-missing'],
})
