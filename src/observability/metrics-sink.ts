/** Takes what the parts of a server measure. */
export interface MetricsSink {
  /** A model has read a batch. */
  batch(model: string, batch: Batch): void
  /** The vectors of a dataset were read once, for all queries that waited. */
  sharedScan(dataset: string, model: string, scan: SharedScan): void
  /** So many more vectors were scored exactly, one for each query. */
  candidates(dataset: string, model: string, vectors: number): void
  /** A search needs the vector of a query. */
  query(model: string, isCached: boolean): void
  /** A response needs an entry as JSON. */
  entry(isCached: boolean): void
}

export interface Batch {
  /** Texts, or pairs of a cross-encoder. */
  readonly texts: number
  readonly tokens: number
  /** Further tokens that make every text as long as the longest. */
  readonly padding: number
}

export interface SharedScan {
  readonly queries: number
  /** Of quantized codes, and of float32 where there are no codes. */
  readonly bytes: number
}

/** Drops everything. */
export const noMetricsSink: MetricsSink = {
  batch: () => undefined,
  sharedScan: () => undefined,
  candidates: () => undefined,
  query: () => undefined,
  entry: () => undefined,
}
