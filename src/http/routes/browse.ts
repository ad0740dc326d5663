/** GET /titles/…, /entries/… and /facets/…: what a page needs beside its searches. */
import { datasetNames, type DatasetName } from '../../catalogue/catalogue.js'
import { NotFoundError } from '../../errors/index.js'
import { createEntryBody } from '../entry-body.js'
import { idOf } from '../entry-id.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems } from '../openapi/problems.js'
import { revalidatedJson } from '../revalidated-json.js'
import { readQuery, requireNoQuery } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import {
  entryPath,
  entryQuery,
  entryResponse,
  facetsResponse,
  titlesQuery,
  titlesResponse,
} from '../schemas/browse.js'
import type { AppServices } from '../services.js'

export function browseRoutes(
  { browse }: Pick<AppServices, 'browse'>,
  { admit, work }: Guards,
): Route[] {
  const bodyOf = createEntryBody()
  const common = { group: 'browse', method: 'GET', guards: admit } as const
  return datasetNames.flatMap((dataset): Route[] => [
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
        const { spoilers } = await readQuery(c, entryQuery)
        const id = idOf(c.req.param('id') ?? '')
        const entry = await work(c, () => browse.entry(dataset, id))
        if (entry === undefined) throw new NotFoundError(`There is no ${dataset} with this id.`)
        return revalidatedJson(c, bodyOf(dataset, entry, spoilers))
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

const counting = (dataset: DatasetName): Operation => ({
  id: `count${titleOf(dataset)}Facets`,
  tag: 'Browse',
  summary: `What ${dataset} can be filtered by`,
  description: 'Every value with the number of works that have it. Works for adults do not count.',
  responses: { 200: { description: 'By kind of value.', schema: facetsResponse } },
  problems: [...admitProblems, 'dataset-missing'],
})
