/**
 * The addon, typed by hand. Only src/native speaks to it; everything here is checked there first, and
 * rejections carry `code` and, for files, `file`, `expected` and `found` (see NativeError).
 */

export interface NativeAddon {
  /** The kernels in use: `scalar`, `avx2`, `avx512`, `neon`. */
  readonly kernel: string
  /** Every kernel that this machine can run, best first. */
  readonly kernels: readonly string[]
  /** Threads that scan. */
  readonly threads: number
  openCollection(paths: readonly string[]): Promise<NativeCollection>
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
}

export interface NativeMaxSim {
  readonly rows: number
  /** Texts with at least one token. */
  readonly textCount: number
  readonly mappedBytes: number
  /** In how many texts each token stands. */
  documentFrequencies(): Uint32Array
  /**
   * @param weights measures x tokens, one measure an exponent
   * @param rows all when undefined
   * @param ticket names the run for `cancel` until it settles
   */
  score(
    tokens: Uint16Array,
    exponents: Uint8Array,
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
