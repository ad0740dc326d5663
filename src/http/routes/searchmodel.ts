/** POST /searchmodel/anime and /searchmodel/manga: description similarity by a named model. */
import { datasetNames } from '../../catalogue/catalogue.js'
import type { Timings } from '../../search/service.js'
import type { AppServices } from '../app.js'
import { readJson } from '../read-json.js'
import type { Guards, Route } from '../route.js'
import { searchModelRequest } from '../schemas/searchmodel.js'

export function searchModelRoutes(
  { search, models, settings }: Pick<AppServices, 'search' | 'models' | 'settings'>,
  { paced, admit }: Guards,
): Route[] {
  const schema = searchModelRequest(models)
  return datasetNames.map((dataset) => ({
    group: 'searchmodel',
    method: 'POST',
    path: `/searchmodel/${dataset}`,
    guards: [...paced, ...admit],
    async handler(c) {
      const request = await readJson(c, schema, settings.bodyLimit)
      const answer = await search.similar({ dataset, ...request }, c.get('signal'))
      return c.body(JSON.stringify(answer), 200, {
        'Content-Type': 'application/json',
        'Server-Timing': serverTiming(answer.meta.timings),
      })
    },
  }))
}

/** The phases as browsers and load balancers read them. */
function serverTiming(timings: Timings): string {
  return Object.entries(timings)
    .map(([name, durationMs]) => `${name.replace(/Ms$/, '')};dur=${durationMs}`)
    .join(', ')
}
