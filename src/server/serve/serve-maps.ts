/** The maps of a server: those that are requested and missing are made in the background. */
import type { Logger } from 'pino'
import { catalogueFile } from '../../data/catalogue/open-catalogue.js'
import type { ServerSettings } from '../../base/config/settings.js'
import { isGroupEnabled } from '../http/route.js'
import { createBackgroundMaps } from '../../search/map/background-maps.js'
import { builtinModel, type ResolvedModel } from '../../models/registry/registry.js'
import { modelResolver } from '../../models/registry/resolve-model.js'
import { autoEncoder } from '../../search/ranking/search-encoder.js'
import type { BackgroundTask } from '../../base/util/background-task.js'

/** The map of the encoder that searches, else the built-in one's. `auto` makes no map of its own. */
export function mapModels({
  searchEncoder,
  modelsDir,
}: Pick<ServerSettings, 'searchEncoder' | 'modelsDir'>): ResolvedModel[] {
  const names = searchEncoder === autoEncoder ? [builtinModel] : [searchEncoder, builtinModel]
  return [...new Set(names)].map(modelResolver({ modelsDir }))
}

/** One for all processes of a server. Makes nothing where no map is served. */
export function keepMaps(settings: ServerSettings, logger: Logger): BackgroundTask {
  if (!isGroupEnabled(settings, 'map'))
    return { renew: () => undefined, stop: () => Promise.resolve() }
  const { dataDir, embeddingsDir } = settings
  return createBackgroundMaps({
    catalogue: catalogueFile(dataDir),
    location: { embeddingsDir },
    models: mapModels(settings),
    onMade: (made) => logger.info(made, 'a map is ready'),
    onProblem: (problem) => logger.warn({ problem }, 'a map could not be made'),
  })
}
