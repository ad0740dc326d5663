/**
 * The addon, typed by hand. Only src/native speaks to it; everything here is checked there first, and
 * rejections carry `code` and, for files, `file`, `expected` and `found` (see NativeError).
 */

export interface NativeAddon {
  /**
   * The kernels in use: `scalar`, `avx2`, `avx2-vnni`, `avx512`, `avx512-vnni`, `neon`, `neon-dot`.
   */
  readonly kernel: string
  /** Every kernel that this machine can run, best first. */
  readonly kernels: readonly string[]
  /** Threads that scan. */
  readonly threads: number
  openCollection(paths: readonly string[]): Promise<NativeCollection>
  /**
   * @param bits 4, 8 or 0: whatever should be fastest, which may be no shadow
   * @param ticket names the build for `shadowProgress` and `cancelShadow` until it settles
   */
  buildShadow(path: string, bits: number, ticket: number): Promise<NativeBuiltShadow>
  /** Pieces done and pieces in all; 0 and 0 before the first. */
  shadowProgress(ticket: number): [done: number, total: number]
  cancelShadow(ticket: number): void
  /**
   * @param table int8 rows of `tokens` x `dimension` and their float32 scales
   * @param lists a `.tokens` file a column
   * @param sources 32 bytes a column, what its file has to be made from
   */
  openMaxSim(
    table: string,
    tokens: number,
    dimension: number,
    lists: readonly string[],
    sources: Uint8Array,
  ): Promise<NativeMaxSim>
}

export interface NativeCollection {
  readonly rows: number
  readonly dimension: number
  /**
   * @param columns ascending, each once
   * @param ticket names the search for `cancel` until it settles
   */
  search(
    queries: Float32Array,
    count: number,
    k: number,
    mask: Uint8Array | undefined,
    columns: Uint16Array,
    distinct: boolean,
    ticket: number,
  ): Promise<NativeAnswer>
  /** The search rejects with ECANCELLED, at the latest after the chunk it is in. */
  cancel(ticket: number): void
  /** One bit a row, least significant bit first: whether any of its vectors is valid. */
  validRows(): Uint8Array
  /** Columns x dimension, zeros where a vector is not valid. */
  vectors(row: number): Promise<Float32Array>
  stats(): NativeStats
  close(): void
}

export interface NativeAnswer {
  readonly rows: Uint32Array
  readonly columns: Uint16Array
  readonly scores: Float32Array
  readonly counts: Uint32Array
}

export interface NativeStats {
  readonly validRows: number
  readonly validVectors: readonly number[]
  readonly mappedBytes: number
  readonly heapBytes: number
  /** (row, column, query) triples whose float32 were read by searches that have answered. */
  readonly pairsScored: number
  /** One a column; null: it has none. */
  readonly shadows: readonly (NativeBuiltShadow | { readonly refused: Error } | null)[]
}

export interface NativeBuiltShadow {
  /** 4, 8 or 0: no shadow. */
  readonly bits: number
  readonly bytes: number
  /** Rows that a search for ten is expected to score canonically. */
  readonly predictedSurvivors: number
}

export interface NativeMaxSim {
  readonly rows: number
  readonly mappedBytes: number
  /** Of the table's scaled rows. */
  tokenNorms(): Float32Array
  /**
   * @param weights measures x tokens, one measure an exponent
   * @param rows all when undefined
   * @param ticket names the run for `cancel` until it settles
   */
  score(
    tokens: Uint16Array,
    exponents: Uint8Array,
    fullLevels: Uint16Array,
    weights: Float32Array,
    rows: Uint32Array | undefined,
    ticket: number,
  ): Promise<NativeMaxSimAnswer>
  cancel(ticket: number): void
  close(): void
}

export interface NativeMaxSimAnswer {
  /** Rows x measures. */
  readonly scores: Float32Array
  readonly columns: Uint16Array
}
