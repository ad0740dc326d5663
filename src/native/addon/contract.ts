/**
 * The addon, typed by hand. Only src/native/addon speaks to it; everything here is checked there first, and
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
  /** @param hashes of the files' blocks, 8 bytes each; an empty array: the file has none */
  openCollection(paths: readonly string[], hashes: readonly Uint8Array[]): Promise<NativeCollection>
  /** @param bytes at the file's beginning that the hashes are of */
  openCheckedFile(path: string, bytes: number, hashes: Uint8Array): NativeCheckedFile
  /** The 8 bytes that tell a block of at most a mebibyte from any other. */
  hashBlock(bytes: Uint8Array): Uint8Array
  /**
   * @param bits 4, 8 or 0: whichever should be fastest, which may be no codes
   * @param ticket names the build for `codesProgress` and `cancelCodes` until it settles
   */
  buildCodes(path: string, bits: number, ticket: number): Promise<NativeBuiltCodes>
  /** Pieces done and pieces in all; 0 and 0 before the first. */
  codesProgress(ticket: number): [done: number, total: number]
  cancelCodes(ticket: number): void
  /**
   * @param table int8 rows of `tokens` x `dimension` and their float32 scales
   * @param lists a `.tokens` file a column; none for `scoreTexts` alone
   * @param sources 32 bytes a column, what its file has to be made from
   */
  openMaxSim(
    table: string,
    tokens: number,
    dimension: number,
    lists: readonly string[],
    sources: Uint8Array,
  ): Promise<NativeMaxSim>
  /**
   * Reads the header only. Throws EROWS_FORMAT, EROWS_STALE or EFILE_OPEN.
   * @param source the path of a `.rows` file, or its bytes, which are copied
   * @param version 32 bytes, of the dataset that it was built from
   */
  openRowIndex(source: string | Uint8Array, version: Uint8Array): NativeRowIndex
  /** Collects lists of numbers by name in an import: native/core/rows/named_numbers.h. */
  readonly NamedNumbers: new () => NativeNamedNumbers
  /** Makes postings from the words of rows in an import: native/core/rows/row_words.h. */
  readonly RowWords: new (wordCharacters: Uint32Array) => NativeRowWords
  /** Makes an index of titles in an import: native/core/rows/title_table.h. */
  readonly TitleTable: new () => NativeTitleTable
  /** The first k rows by score, ties by row, of those above the bound that pass; on the calling thread. */
  topRows(scores: Float32Array, k: number, above: number, mask: Uint8Array | undefined): Uint32Array
  /** One bit a row: whether its value is within the bounds, which are included; on the calling thread. */
  rowsWithin(values: Float64Array, first: number, last: number): Uint8Array
  /** All rows by value, ties by row, those of unknown values (NaN, or not above 0) last. */
  rowsByValue(values: Float64Array, ascending: boolean, positiveOnly: boolean): Promise<Uint32Array>
  /** The exact cosine of each vector, NaN of one that is not valid; on the calling thread. */
  scoreVectors(query: Float32Array, vectors: Float32Array): Float32Array
  /** Gives the system what this process has freed; takes milliseconds. */
  returnFreeMemory(): void
  /** From 1 to `threads`. */
  limitScanThreads(limit: number): void
  /** Loads the CUDA library and queries the driver; the first call may take a second. */
  cuda(): NativeCuda
  /**
   * Sends searches to a device from now on, those of collections that are opened later; once.
   * @param value of `bytes` or `percent`; 0 uses no device
   * @param processes that share the device's memory
   * @param device its number
   */
  configureGpu(
    kind: 'auto' | 'bytes' | 'percent',
    value: number,
    processes: number,
    device: number,
  ): void
  /** Null: no device is used. */
  gpuStats(): NativeGpuStats | null
  /** Frees device memory that nobody has used for so long; how many layouts of columns went. */
  releaseIdleGpu(idleMs: number): number
}

export interface NativeCuda {
  readonly available: boolean
  /** Why not, without folders; empty when it is. */
  readonly reason: string
  /** The file that was looked for. */
  readonly library: string
  /** As CUDA writes versions: 13000 is 13.0; 0: unknown. */
  readonly driverVersion: number
  readonly builtWith: number
  readonly devices: readonly NativeCudaDevice[]
}

interface NativeCudaDevice {
  readonly name: string
  /** Such as `9.0`. */
  readonly computeCapability: string
  readonly multiprocessors: number
  readonly totalBytes: number
}

export interface NativeGpuStats {
  /** Such as `cuda:0`. */
  readonly device: string
  readonly limitBytes: number
  readonly usedBytes: number
  readonly peakBytes: number
  /** Forms of columns that are in its memory. */
  readonly residentLayouts: number
  readonly evictions: number
  /** That the device did. */
  readonly searches: number
  /** Searches that the processor did instead, by the code of the error. */
  readonly fallbacks: Readonly<Record<string, number>>
  /** What the last error said; empty: none. */
  readonly lastFallback: string
  /** Why the device is used no more; empty: it is. */
  readonly lost: string
  /** Why batches are not multiplied by cuBLAS; empty: they are. */
  readonly blasReason: string
}

/** What can be checked during searches, one check at a time. */
export interface NativeVerified {
  /** Resolves with the bytes that were read; rejects with what is wrong with a file. */
  verify(bytesPerSecond: number): Promise<number>
  /** The check rejects with ECANCELLED. */
  cancelVerify(): void
}

interface NativeCheckedFile extends NativeVerified {
  /** Throws EFILE_CHANGED. */
  checkUnchanged(): void
  close(): void
}

export interface NativeCollection extends NativeVerified {
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
  ): Promise<NativeResult>
  /** The search rejects with ECANCELLED, at the latest after the chunk it is in. */
  cancel(ticket: number): void
  /** One bit a row, least significant bit first: whether any of its vectors is valid. */
  validRows(): Uint8Array
  /** Columns x dimension, zeros where a vector is not valid. */
  vectors(row: number): Promise<Float32Array>
  stats(): NativeStats
  close(): void
}

interface NativeResult {
  readonly rows: Uint32Array
  readonly columns: Uint16Array
  readonly scores: Float32Array
  readonly counts: Uint32Array
  /** The device that found it, such as `cuda:0`; absent: the processor did. */
  readonly device?: string
}

interface NativeStats {
  readonly validRows: number
  readonly validVectors: readonly number[]
  readonly mappedBytes: number
  readonly heapBytes: number
  /** (row, column, query) triples whose float32 were read by searches that have ended. */
  readonly pairsScored: number
  /** Of quantized codes, and of float32 without codes, that the processor's searches have scanned. */
  readonly scannedBytes: number
  /** One a column; null: it has none. */
  readonly codes: readonly (NativeBuiltCodes | { readonly refused: Error } | null)[]
}

interface NativeBuiltCodes {
  /** 4, 8 or 0: no codes. */
  readonly bits: number
  readonly bytes: number
  /** Rows that a search for ten is expected to score exactly. */
  readonly predictedCandidates: number
}

export interface NativeMaxSim extends NativeVerified {
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
  ): Promise<NativeMaxSimResult>
  /**
   * The same of texts that are in no list, a row each.
   * @param textTokens of all texts one after the other
   * @param ends where each text's tokens end
   */
  scoreTexts(
    tokens: Uint16Array,
    exponents: Uint8Array,
    fullLevels: Uint16Array,
    weights: Float32Array,
    textTokens: Uint16Array,
    ends: Uint32Array,
    ticket: number,
  ): Promise<NativeMaxSimResult>
  cancel(ticket: number): void
  close(): void
}

/** See named-numbers.ts. */
interface NativeNamedNumbers {
  add(key: string, name: string, number: number): void
  /** The last call. */
  build(): NativeNamedNumbersSections
}

interface NativeNamedNumbersSections {
  readonly names: Uint8Array
  readonly nameEnds: Uint32Array
  readonly numbers: Uint32Array
  readonly ends: Uint32Array
}

/** See row-words.ts, which calls it in this order. */
interface NativeRowWords {
  /** Adds the next row. Blocks while much is not split yet. */
  add(titles: string, texts: string): void
  finish(): NativeWords
  /** How many rows have each stem. Throws a TypeError for numbers that do not fit. */
  setStems(
    stems: number,
    codes: Uint32Array,
    otherEnds: Uint32Array,
    others: Uint32Array,
  ): Uint32Array
  setFormula(
    rarities: Float64Array,
    saturation: number,
    lengthShare: number,
    meanLength: number,
    titleWeight: number,
    units: number,
  ): void
  /** Null after the last, which frees all memory; later calls throw a TypeError. */
  next(atOnce: number): NativePostingsPart | null
}

interface NativeWords {
  /** Units of UTF-16 of all distinct words, one after the other. */
  readonly units: Uint16Array
  /** Where each word ends in them. */
  readonly ends: Uint32Array
  /** How many rows have each word. */
  readonly rows: Uint32Array
  /** Words of all rows, repeated ones included. */
  readonly total: number
}

export interface NativePostingsPart {
  /** What the stems of the part add to the section of postings, and to that of ends. */
  readonly postings: Uint16Array
  readonly ends: Uint32Array
}

/** See title-table.ts. */
interface NativeTitleTable {
  readonly size: number
  /**
   * @param season packed into 32 bits
   * @param forms separated by lines, as are the words; those that repeat count once
   */
  add(
    row: number,
    kind: number,
    season: number,
    key: number,
    text: string,
    forms: string,
    words: string,
  ): void
  /** The number of each of the words, 0xffffffff of one that no title has. */
  findWords(words: string): Uint32Array
  /** How many titles have each word. */
  countWords(): Uint32Array
  /** @param rarity of each word. The last call. Throws a TypeError for another number of them */
  build(rarity: Uint8Array): NativeSection[]
}

export interface NativeSection {
  readonly name: string
  readonly array: Uint8Array | Uint32Array | Float64Array
}

interface NativeRowIndex {
  readonly rows: number
  readonly mappedBytes: number
  /** The number of each stem, 0xffffffff of one that no row has. */
  findStems(stems: readonly string[]): Uint32Array
  /** Rows with one of the stems, ascending; on the calling thread. */
  rowsWith(stems: Uint32Array): Uint32Array
  /**
   * The first `k` rows by bm25, ties by row, of those that score above 0.
   * @param stems each once
   */
  searchStems(
    stems: Uint32Array,
    k: number,
    mask: Uint8Array | undefined,
  ): Promise<{ readonly rows: Uint32Array; readonly scores: Float32Array }>
  /** bm25 of each of the rows. */
  scoreStems(stems: Uint32Array, rows: Uint32Array): Promise<Float32Array>
  /** The number of each name among the lists of a kind, 0xffffffff of one that is not there. */
  findNames(kind: string, names: readonly string[]): Uint32Array
  hasNameBeginning(kind: string, beginning: string): boolean
  /** Empty of a list that is not there. */
  nameOf(kind: string, list: number): string
  /** Empty of a list that is not there. */
  numbersOf(kind: string, list: number): Uint32Array
  /** The mapped bytes of a section, which must not be written to; once a section, as a buffer is the only one of its memory. */
  section(name: string): ArrayBuffer
  /**
   * The rows that pass a filter.
   * @param plan see filter-plan.ts
   */
  filter(plan: Float64Array): Uint8Array
  /** Of each list of facts, how many of its rows pass. */
  countFacts(mask: Uint8Array | undefined, ticket: number): Promise<Uint32Array>
  /**
   * One search's pass over all rows: native/core/rows/rank_rows.h.
   * @param plan see rank-plan.ts
   * @param namedMask what rows also come by their titles
   * @param ticket names the pass for `cancel` until it settles
   */
  rank(
    plan: Float64Array,
    mask: Uint8Array | undefined,
    namedMask: Uint8Array | undefined,
    ticket: number,
  ): Promise<NativeRankedRows>
  findLikest(
    plan: Float64Array,
    mask: Uint8Array | undefined,
    ticket: number,
  ): Promise<{ readonly rows: Uint32Array; readonly likeness: Float32Array }>
  /** One value a row. */
  taste(plan: Float64Array, ticket: number): Promise<Float32Array>
  /** Examples x rows. */
  likenesses(plan: Float64Array, ticket: number): Promise<Float32Array>
  /** A pass that has not begun rejects with ECANCELLED. */
  cancel(ticket: number): void
  close(): void
}

interface NativeRankedRows {
  /** False where works like those that are named are too few; then there are no rows. */
  readonly areChosen: boolean
  /** Ascending. */
  readonly rows: Uint32Array
  /** Those that only `namedMask` lets pass, the best first. */
  readonly named: Uint32Array
  /** Features x rows. */
  readonly features: Float32Array
  readonly known: number
}

interface NativeMaxSimResult {
  /** Rows x measures. */
  readonly scores: Float32Array
  /** Rows x measures. */
  readonly together: Float32Array
  readonly columns: Uint16Array
}
