/** The routes that take the place of others' servers: their clients need another address, and nothing else. */
import type { Guards, Route } from '../../route.js'
import { cohereEmbedRoutes } from './cohere-embed.js'
import { openAiRoutes } from './openai.js'
import { rerankRoutes } from './rerank.js'
import type { V1Services } from './services.js'
import { teiRoutes } from './tei.js'

export const v1Routes = (services: V1Services, guards: Guards): Route[] => [
  ...openAiRoutes(services, guards),
  ...cohereEmbedRoutes(services, guards),
  ...rerankRoutes(services, guards),
  ...teiRoutes(services, guards),
]
