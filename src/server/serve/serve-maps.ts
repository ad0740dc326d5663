/** The maps of a server: those that are requested and missing are made in the background. */
import type { Logger } from 'pino'
import { catalogueFile } from '../../data/catalogue/open-catalogue.js'
import type { ServerSettings } from '../../base/config/settings.js'
import { isGroupEnabled } from '../http/route.js'
import { createBackgroundMaps } from '../../search/map/background-maps.js'
import { builtinModel } from '../../models/registry/registry.js'
import { autoEncoder } from '../../search/ranking/search-encoder.js'
import type { BackgroundTask } from '../../base/util/background-task.js'

/** The map of the encoder that searches, else the built-in one's. `auto` makes no map of its own. */
export const mapModels = ({ searchEncoder }: Pick<ServerSettings, 'searchEncoder'>) => [
  ...new Set(searchEncoder === autoEncoder ? [builtinModel] : [searchEncoder, builtinModel]),
]

/** One for all processes of a server. Makes nothing where no map is served. */
export function keepMaps(settings: ServerSettings, logger: Logger): BackgroundTask {
  if (!isGroupEnabled(settings, 'map'))
    return { renew: () => undefined, stop: () => Promise.resolve() }
  const { dataDir, embeddingsDir, modelsDir } = settings
  return createBackgroundMaps({
    catalogue: catalogueFile(dataDir),
    location: { embeddingsDir, modelsDir },
    models: mapModels(settings),
    onMade: (made) => logger.info(made, 'a map is ready'),
    onProblem: (problem) => logger.warn({ problem }, 'a map could not be made'),
  })
}
