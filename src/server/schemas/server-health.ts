/** The state of the server, as GET / and the probes report it. */

export interface Health {
  /** Cheap: it loads nothing and opens nothing. */
  report(): HealthReport
}

export interface HealthReport {
  /**
   * `ok`: every dataset of the catalogue can be searched; `degraded`: some; `unavailable`: none; `damaged`: a file was found
   * damaged, and what needs it is out of service; `stopping`: no more.
   */
  readonly status: 'ok' | 'degraded' | 'unavailable' | 'damaged' | 'stopping'
  /** What cannot be searched and why, with the command that ends it: `manga: not imported`. */
  readonly reasons: readonly string[]
  /** What is out of service because a file is damaged: `catalogue`, or a dataset and a model. */
  readonly damaged: readonly string[]
  readonly version: string
  /** Whether a CUDA device is used, for searches or for models. */
  readonly cuda_available: boolean
  /** Why not; null when it is. */
  readonly cuda_reason: string | null
  /** Whether large searches run on a CUDA device. */
  readonly cuda_searches: CudaHealth
  /** Whether models run on a CUDA device. */
  readonly cuda_models: CudaHealth
  /** What models run on, as `device` of /search names it. */
  readonly devices: readonly string[]
  /** Name of the similarity kernel that this processor runs. */
  readonly kernel: string
  /** Models of all kinds that are loaded or being loaded, the least recently used first. */
  readonly models_loaded: readonly string[]
  /** Of this process; null since its start. */
  readonly last_reload: LastReload | null
  readonly datasets: Readonly<Record<string, DatasetHealth>>
}

interface CudaHealth {
  readonly available: boolean
  /** Why not; null when it is. */
  readonly reason: string | null
}

/** Whose data a dataset is made of, and on which terms. */
export interface SourceHealth {
  readonly name: string
  readonly url: string
  readonly licence: string
  readonly licence_url: string
  /** What has to be said with it. */
  readonly attribution: string
}

export interface LastReload {
  /** When it ended, as ISO 8601 writes it. */
  readonly at: string
  /** `failed`: what was served before still is, and the log says why. */
  readonly result: 'done' | 'failed'
}

/** What fits into the memory of the device that searches use. */
export interface GpuPlan {
  /** Such as `cuda:0`. */
  readonly device: string
  /** Of this process. */
  readonly limit_bytes: number
  readonly used_bytes: number
  readonly collections: readonly {
    readonly dataset: string
    readonly model: string
    /** Whether its files are there; else its sizes are estimates. */
    readonly built: boolean
    /** For searches of up to eight queries, for larger batches, and for batches that are scored on the device. */
    readonly few: GpuNeed
    readonly batches: GpuNeed
    readonly rescoring: GpuNeed
  }[]
}

interface GpuNeed {
  readonly bytes: number
  readonly fits: boolean
}

interface DatasetHealth {
  /** Of its works and texts; embeddings and maps belong to one version. */
  readonly version: string
  readonly entries: number
  readonly sources: readonly SourceHealth[]
  readonly columns: readonly string[]
  /** Models whose embeddings are there and match. */
  readonly models: readonly string[]
  /** Those of them whose embeddings are open now. */
  readonly models_loaded: readonly string[]
}
