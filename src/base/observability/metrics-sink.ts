/** Takes what the parts of a server measure. */
export interface MetricsSink {
  /** A model has read a batch. */
  batch(model: string, batch: Batch): void
  /** The vectors of a dataset were read once, for all queries that waited. */
  sharedScan(dataset: string, model: string, queries: number): void
  /** What searches have read since they were last reported. */
  scanned(dataset: string, model: string, work: ScanWork): void
  /** A search needs the vector of a query. */
  query(model: string, isCached: boolean): void
  /** A response needs an entry as JSON. */
  entry(isCached: boolean): void
  /** So many bytes of files were compared with their hashes during searches. */
  verified(bytes: number): void
}

export interface Batch {
  /** Texts, or pairs of a cross-encoder. */
  readonly texts: number
  readonly tokens: number
  /** Further tokens that make every text as long as the longest. */
  readonly padding: number
}

export interface ScanWork {
  /** Vectors that were scored exactly, one for each query. */
  readonly candidates: number
  /** Of quantized codes, and of float32 without codes, that the processor has scanned. */
  readonly bytes: number
}

/** What a process holds at a moment. */
export interface ProcessState {
  /** In progress. */
  readonly requests: number
  readonly mappedBytes: number
  readonly modelBytes: number
  /** Out of service because a file is damaged. */
  readonly damaged: number
}

/** Drops everything. */
export const noMetricsSink: MetricsSink = {
  batch: () => undefined,
  sharedScan: () => undefined,
  scanned: () => undefined,
  query: () => undefined,
  entry: () => undefined,
  verified: () => undefined,
}
