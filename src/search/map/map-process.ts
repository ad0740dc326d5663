/** A process of its own that makes maps at a low priority: `node map-process.js JSON`. It ends with its parent. */
import { openCatalogue } from '../../data/catalogue/open-catalogue.js'
import {
  beginBackgroundWork,
  endBackgroundWork,
  reportProblem,
} from '../../base/util/background-work.js'
import { buildMap } from './build-map.js'
import type { MapWork } from './background-maps.js'

const { work, signal } = beginBackgroundWork()
const { catalogue: file, location, wanted } = work as MapWork
const catalogue = openCatalogue(file)
try {
  for (const { dataset, model } of wanted) {
    const options = { catalogue, location, dataset, model, signal }
    const startMs = performance.now()
    const { works } = await buildMap(options)
    const ms = Math.round(performance.now() - startMs)
    process.send?.({ dataset, model: model.name, works, ms })
  }
} catch (error) {
  reportProblem(error, signal)
} finally {
  catalogue.close()
  endBackgroundWork()
}
