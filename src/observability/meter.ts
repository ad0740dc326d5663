/** What the parts of a server tell whoever measures it. */
export interface Meter {
  /** A model has read a batch. */
  batch(model: string, batch: Batch): void
  /** The vectors of a dataset were read once. */
  sweep(dataset: string, model: string, sweep: Sweep): void
  /** So many more vectors were left to be scored exactly, one for each query. */
  survivors(dataset: string, model: string, vectors: number): void
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

export interface Sweep {
  /** Queries that it answers. */
  readonly queries: number
  /** Of shadows, and of float32 where there is no shadow. */
  readonly bytes: number
}

/** Tells nobody. */
export const noMeter: Meter = {
  batch: () => undefined,
  sweep: () => undefined,
  survivors: () => undefined,
  query: () => undefined,
  entry: () => undefined,
}
