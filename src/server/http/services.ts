/** The services of the HTTP application. Each part of it takes the slice that it uses. */
import type { Logger } from 'pino'
import type { DatasetName, WorkDataset } from '../../data/catalogue/catalogue.js'
import type { Browse } from '../../search/browse/browse.js'
import type { ServerSettings } from '../../base/config/settings.js'
import type { Maps } from '../../search/map/open-maps.js'
import type { Inference } from '../../search/inference/inference.js'
import type { ModelList } from '../../models/registry/model-list.js'
import type { Metrics } from '../metrics/metrics.js'
import type { Tracing } from '../../base/observability/tracing.js'
import type { RankedSearchService } from '../../search/service/ranked-search.js'
import type { JoinedSearch } from '../../search/service/joined-search.js'
import type { ListEntries } from '../../search/service/list-entries.js'
import type { Recommend } from '../../search/service/recommend.js'
import type { SearchService } from '../../search/service/service.js'
import type { Access } from './access/with-access.js'
import type { Admission } from './admission.js'
import type { EntryIds } from './entry-ids.js'
import type { EntryJson } from './entry-json.js'
import type { Feedback } from './feedback-file.js'
import type { RateLimits } from './limits/rate-limits.js'
import type { McpEndpoint } from './mcp-endpoint.js'
import type { ListedWork } from '../schemas/user-lists.js'
import type { WritableCatalogue } from './writes.js'
import type { Analytics } from '../analytics/analytics.js'
import type { GpuPlan, Health } from '../schemas/server-health.js'

export interface AppServices {
  /** Those with routes: see `servedDatasets`. */
  readonly datasets: readonly DatasetName[]
  /** Absent where all ids are integers. */
  readonly entryIds?: EntryIds | undefined
  readonly search: SearchService
  readonly rankedSearch?: RankedSearchService
  /** Absent where the part is not served. */
  readonly joinedSearch?: JoinedSearch
  readonly listEntries?: ListEntries
  readonly recommend?: Recommend
  readonly browse: Browse
  readonly maps: Maps
  /** Absent where nothing serves the routes of v1. */
  readonly inference?: Inference
  /** Absent where the tools are not served. */
  readonly mcp?: McpEndpoint | undefined
  /** Absent without `--anilist-users on`. */
  readonly publicLists?: PublicLists | undefined
  /** Absent without `--feedback`. */
  readonly feedback?: Feedback | undefined
  /** Absent without `--analytics`. */
  readonly analytics?: Analytics | undefined
  /** Absent where the catalogue cannot be changed. */
  readonly writes?: WritableCatalogue | undefined
  /** The entries of the catalogue that `search` reads. */
  readonly entries: EntryJson
  readonly health: Health
  /** Resolves with null where no GPU is used; absent where nobody plans. */
  readonly gpuPlan?: (() => Promise<GpuPlan | null>) | undefined
  /** Names that `model` may have. */
  readonly models: readonly string[]
  readonly modelList: ModelList
  readonly logger: Logger
  readonly settings: ServerSettings
  /** Limits of the groups of routes; their counts are of this process, or of all. */
  readonly rateLimits: RateLimits
  /** Absent without `--api-keys`: everything is open. */
  readonly access?: Access | undefined
  readonly metrics: Metrics
  /** Returns what GET /metrics sends: the metrics of this process, or of all. */
  readonly metricsText: () => Promise<string>
  readonly tracing?: Tracing | undefined
  /** One for all routes, because its limit is that of the process. */
  readonly admission: Admission
}

/**
 * The works on the lists of an AniList user. Rejects with an UpstreamError; its `status` is 404 for a user who does
 * not exist or has private lists.
 */
export type PublicLists = (
  dataset: WorkDataset,
  userName: string,
  signal: AbortSignal,
) => Promise<readonly SiteWork[]>

interface SiteWork extends Pick<ListedWork, 'status' | 'score'> {
  /** AniList's. */
  readonly mediaId: number | null
  /** MyAnimeList's. */
  readonly malId: number | null
}
