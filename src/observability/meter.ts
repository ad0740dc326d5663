/** What the parts of a server tell whoever measures it. */
export interface Meter {
  /** A model has read a batch. */
  batch(model: string, batch: Batch): void
  /** The vectors of a dataset were read once. */
  sharedScan(dataset: string, model: string, sharedScan: SharedScan): void
  /** So many more vectors were left to be scored exactly, one for each query. */
  candidates(dataset: string, model: string, vectors: number): void
  /** The vector of a query was wanted. */
  query(model: string, isKnown: boolean): void
  /** An entry was wanted as JSON. */
  entry(isKept: boolean): void
}

export interface Batch {
  /** Texts, or pairs of a cross-encoder. */
  readonly texts: number
  readonly tokens: number
  /** Further tokens that make every text as long as the longest. */
  readonly padding: number
}

export interface SharedScan {
  /** Queries that it answers. */
  readonly queries: number
  /** Of quantized codes, and of float32 where there are no codes. */
  readonly bytes: number
}

/** Tells nobody. */
export const noMeter: Meter = {
  batch: () => undefined,
  sharedScan: () => undefined,
  candidates: () => undefined,
  query: () => undefined,
  entry: () => undefined,
}
