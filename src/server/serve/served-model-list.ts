/** GET /models: which models there are, and which of the routes that are served take them. */
import type { RouteGroup } from '../../base/config/route-groups.js'
import type { ServerSettings } from '../../base/config/settings.js'
import { isGroupEnabled } from '../http/route.js'
import { listCrossEncoders } from '../../models/registry/cross-encoders.js'
import { fineTunedFolder } from '../../models/registry/fine-tuned.js'
import { createModelList, type ModelList } from '../../models/registry/model-list.js'
import { listModels } from '../../models/registry/registry.js'

type Paths = Partial<Record<RouteGroup, readonly string[]>>

const ofRankers: Paths = { search: ['/search'], v1: ['/v1/rerank', '/v2/rerank', '/rerank'] }
const ofEncoders: Paths = {
  searchmodel: ['/searchmodel'],
  similar: ['/similar'],
  v1: ['/v1/embeddings', '/embed', '/similarity'],
}

export function createServedModelList(
  settings: Pick<ServerSettings, 'enableRoutes' | 'modelsDir' | 'fineTunedDir'>,
): ModelList {
  const served = (paths: Paths) =>
    Object.entries(paths).flatMap(([group, routes]) =>
      isGroupEnabled(settings, group as RouteGroup) ? routes : [],
    )
  return createModelList({
    categories: {
      'Semantic Search': {
        list: () => listCrossEncoders(settings),
        endpoints: served(ofRankers),
      },
      'Similarity models': { list: () => listModels(settings), endpoints: served(ofEncoders) },
    },
    fineTunedDir: fineTunedFolder(settings),
    fineTunedEndpoints: served(ofRankers),
  })
}
