/** The types of the library; they import nothing, so a program compiles against them alone. */

/** `anime`, `manga`, or the name of a dataset of your own. */
export type Dataset = string

export interface OpenOptions {
  /**
   * A folder with `data/`, `embeddings/` and `models/`, as a server has. Where it holds no catalogue, the included works
   * are imported into it. Default: the folder of the system for data of programs, such as
   * `~/.local/share/synoptic`.
   */
  readonly folder?: string
  /** Called where the result differs from the options. Default: no call. */
  readonly warn?: (message: string) => void
}

/** Members that are absent restrict nothing. Names in upper or lower case. */
export interface Filter {
  readonly type?: string | readonly string[]
  readonly genres?: Choice
  /** Keys of the vocabulary, such as `time-loop`, names or synonyms. */
  readonly tags?: Choice
  readonly audience?: string | readonly string[]
  readonly studio?: string | readonly string[]
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly minScore?: number
  /** Whether works for adults are searched, too; they are not where this is absent. */
  readonly adult?: boolean
}

export interface Choice {
  readonly any?: readonly string[]
  readonly all?: readonly string[]
  readonly none?: readonly string[]
}

export interface FindOptions extends Filter {
  /** Number of results, 1 to 100. Default: 10. */
  readonly limit?: number
  /** From 1, the default. */
  readonly page?: number
  /** Ends a search that nobody waits for any more; its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface Work {
  readonly id: number
  readonly title: string
  readonly type: string | null
  readonly year: number | null
  readonly genres: readonly string[]
  /** Of several the one that fits best; empty for a work without texts. */
  readonly synopsis: string
}

export interface Found extends Work {
  /** How well it matches the query, 0 to 1. */
  readonly score: number
  /** The text that matches best, where that is not the synopsis; null for one that gives the ending away. */
  readonly matched?: string | null
}

export interface Similar extends Work {
  /** Cosine of the nearest pair of texts; null where only tags and genres are alike. */
  readonly similarity: number | null
}

export interface SearchIndex {
  /** Those that were imported. */
  readonly datasets: readonly Dataset[]
  /**
   * The works that match a description, a title or requested facts best, as `POST /search/{dataset}` finds them.
   * Rejects with a ValidationError for options that are not valid.
   */
  search(dataset: Dataset, query: string, options?: FindOptions): Promise<readonly Found[]>
  /** The works most like one, as `GET /similar/{dataset}/{id}` finds them. Rejects with a NotFoundError. */
  similar(dataset: Dataset, id: number, options?: FindOptions): Promise<readonly Similar[]>
  /** Ends the threads and unmaps the files. An index that is not closed keeps the process alive. */
  close(): Promise<void>
}

export interface ServerOptions {
  /** As for `openIndex`. */
  readonly folder?: string
  /** Default: 127.0.0.1, this machine alone. */
  readonly host?: string
  /** Default: 0, a free port. */
  readonly port?: number
  /** Further settings of `synoptic serve` by their names in a configuration file, such as `rateLimit`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>
}

export interface SearchServer {
  /** Such as `http://127.0.0.1:8000`. */
  readonly url: string
  readonly port: number
  /** Lets running requests finish for at most ten seconds. */
  close(): Promise<void>
}
