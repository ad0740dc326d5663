/** GET /map: all works as points of a plane, as a page and as data. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { accepts } from 'hono/accepts'
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems } from '../openapi/problems.js'
import { readPage } from '../page-files.js'
import { readQuery } from '../read-query.js'
import { isKnown } from '../revalidated-json.js'
import type { Guards, Route } from '../route.js'
import { mapQuery, mapResponse } from '../../schemas/map.js'
import type { AppServices } from '../services.js'
import { pageFiles, pagePolicy, staticRoute } from '../static-route.js'
import { createFactsPage } from './page.js'

export function mapRoutes(
  services: Pick<AppServices, 'feedback' | 'health' | 'maps' | 'settings' | 'datasets'>,
  { admit, work }: Guards,
): Route[] {
  const data = services.datasets.map((dataset): Route => {
    return {
      group: 'map',
      method: 'GET',
      path: `/map/${dataset}`,
      guards: admit,
      operation: mapping(dataset),
      async handler(c) {
        const query = await readQuery(c, mapQuery)
        const { bytes, sha256 } = await work(c, () => services.maps.read(dataset, query))
        const headers = {
          'Cache-Control': 'no-cache',
          ETag: `W/"${sha256}"`,
          Vary: 'Accept-Encoding',
          'Content-Type': 'application/json; charset=utf-8',
        }
        if (isKnown(c.req.header('if-none-match'), sha256)) return c.body(null, 304, headers)
        const coding = accepts(c, {
          header: 'Accept-Encoding',
          supports: ['gzip', 'identity'],
          default: 'identity',
        })
        return coding === 'gzip'
          ? c.body(bytes, 200, { ...headers, 'Content-Encoding': 'gzip' })
          : c.body(await decompress(bytes), 200, headers)
      },
    }
  })
  const html = services.settings.ui === 'off' ? undefined : readPage('map.html')
  if (html === undefined) return data
  const { show, coverHosts } = createFactsPage(html, services)
  return [
    ...data,
    staticRoute('map', '/map', show, { operation: looking, guards: [pagePolicy(coverHosts)] }),
    ...pageFiles('map'),
  ]
}

const decompress = promisify(gunzip)

const mapping = (dataset: DatasetName): Operation => ({
  id: `get${titleOf(dataset)}Map`,
  tag: 'Browse',
  summary: `All ${dataset} as points of a plane`,
  description:
    'Works that are alike lie near each other. `synoptic embed build --map` makes it; without a map of the works that are served now, the answer is `map-missing`.',
  query: mapQuery,
  responses: {
    200: { description: 'In columns.', headers: ['ETag'], schema: mapResponse },
    304: { description: 'The map is still the one that `If-None-Match` names.' },
  },
  problems: [...admitProblems, 'invalid-request', 'dataset-missing', 'map-missing'],
})

const looking: Operation = {
  id: 'showMap',
  tag: 'Browse',
  summary: 'The map as a page',
  description:
    'Its address says the dataset (`in`), a search whose results it highlights (`q`) and the colours (`by`).',
  responses: { 200: { description: 'The page.', headers: ['ETag'], type: 'text/html' } },
}
