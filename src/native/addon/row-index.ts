/**
 * The index of the rows of a dataset: what a search reads of all rows, in a file that every process maps. The core
 * looks words up in it and sums their impacts on its own threads; see native/core/rows.
 */
import { countRows, type RowMask } from '../../base/util/row-mask.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import { loadAddon, toNativeError } from './addon.js'
import { type FilterPlan, writeFilterPlan } from './filter-plan.js'
import {
  type Choice,
  type FitPlan,
  type LikenessesPlan,
  type LikestPlan,
  type TastePlan,
  writeLikenessesPlan,
  writeLikestPlan,
  writeRankPlan,
  writeTastePlan,
} from './rank-plan.js'

/** Passes over all rows, each one job on the core's threads. An aborted signal drops a job that has not begun. */
export interface RowPasses {
  /** The rows that are worth ranking, and what the ranker weighs of them. */
  rank(plan: FitPlan, choice: Choice, options?: RankOptions): Promise<ChosenRows>
  /** The rows that are likest a row, the likest first, ties by row. */
  findLikest(plan: LikestPlan, options?: PassOptions): Promise<LikestRows>
  /** Of each list of facts by its number, how many of its rows pass. */
  countFacts(options?: PassOptions): Promise<Uint32Array>
  /** How far each row suits somebody, at most 1; 0 and less for those that do not. */
  taste(plan: TastePlan, signal?: AbortSignal): Promise<Float32Array>
  /** How like each of some rows is to each example: examples x rows. */
  likenesses(plan: LikenessesPlan, signal?: AbortSignal): Promise<Float32Array>
}

interface PassOptions {
  /** Rows that may be found; all where absent. */
  readonly mask?: RowMask | undefined
  readonly signal?: AbortSignal | undefined
}

interface RankOptions extends PassOptions {
  /** Lets rows pass, too, that are named by their title. */
  readonly namedMask?: RowMask | undefined
}

export interface ChosenRows {
  /** False where works like those that are named are too few: then the text has to be compared, and there are no rows. */
  readonly areChosen: boolean
  /** Ascending. */
  readonly rows: Uint32Array
  /** Those that only `namedMask` lets pass. */
  readonly named: Uint32Array
  /**
   * Of each row, one column after the other: how nearly the query is its title, how far it fulfils the requests, how far
   * it has what is excluded, how alike it is, its bm25, and its degree of each request.
   */
  readonly features: Float32Array
  /** The share of the requests, by their weights and confidence, that some row has. */
  readonly known: number
}

interface LikestRows {
  readonly rows: Uint32Array
  readonly likeness: Float32Array
}

export interface RowIndex extends RowPasses {
  readonly rows: number
  /** Bytes of the file, shared between processes; 0 where the index is in memory. */
  readonly mappedBytes: number
  /** The number of each stem; `notFound` of one that no row has. */
  findStems(stems: readonly string[]): Uint32Array
  /** Rows with one of the stems, ascending. */
  rowsWith(stems: Uint32Array): Uint32Array
  /**
   * The first `limit` rows by bm25, ties by row, of those that pass and score above 0.
   * @param stems each once
   */
  search(
    stems: Uint32Array,
    limit: number,
    mask: Uint8Array | undefined,
  ): Promise<{ readonly rows: Uint32Array; readonly scores: Float32Array }>
  /** bm25 of each of the rows. */
  score(stems: Uint32Array, rows: Uint32Array): Promise<Float32Array>
  /** The rows that pass; undefined where all do. */
  filter(plan: FilterPlan): RowMask | undefined
  /** Lists of numbers of a kind, by name. */
  numberLists(kind: string): NumberLists
  /** The mapped bytes of a section; they must not be written to, and stay mapped as long as they are referred to. */
  section(name: string): ArrayBuffer
  /** Idempotent; searches in flight finish. */
  close(): void
}

/** Each call throws NativeError EFILE_CHANGED where the file was written to. */
interface NumberLists {
  /** Positions of the lists with these names; `notFound` of a name that is not there. */
  find(names: readonly string[]): Uint32Array
  /** Whether a name begins so. */
  hasBeginning(beginning: string): boolean
  name(list: number): string
  numbers(list: number): Uint32Array
}

export const notFound = 0xffffffff
const largestCount = 2 ** 32 - 1

/**
 * @param source the path of a file, or its bytes
 * @param version of the dataset that it must have been built from, 64 hexadecimal digits
 * @throws NativeError EFILE_OPEN, EROWS_FORMAT, or EROWS_STALE
 */
export function openRowIndex(source: string | Uint8Array, version: string): RowIndex {
  const native = rethrown(() => loadAddon().openRowIndex(source, Buffer.from(version, 'hex')))
  const sections = new Map<string, ArrayBuffer>()
  let lastTicket = 0
  const pass = async <T>(
    start: (ticket: number) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    signal?.throwIfAborted()
    lastTicket = (lastTicket + 1) % 2 ** 32
    const ticket = lastTicket
    const cancel = (): void => native.cancel(ticket)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await start(ticket)
    } catch (error) {
      signal?.throwIfAborted()
      throw toNativeError(error)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }
  return {
    rows: native.rows,
    mappedBytes: native.mappedBytes,
    findStems: (stems) => rethrown(() => native.findStems(stems)),
    rowsWith: (stems) => rethrown(() => native.rowsWith(stems)),
    search: (stems, limit, mask) =>
      rejected(() => native.searchStems(stems, Math.min(limit, largestCount), mask)),
    score: (stems, rows) => rejected(() => native.scoreStems(stems, rows)),
    numberLists: (kind) => ({
      find: (names) => rethrown(() => native.findNames(kind, names)),
      hasBeginning: (beginning) => rethrown(() => native.hasNameBeginning(kind, beginning)),
      name: (list) => rethrown(() => native.nameOf(kind, list)),
      numbers: (list) => rethrown(() => native.numbersOf(kind, list)),
    }),
    section: (name) => getOrAdd(sections, name, () => rethrown(() => native.section(name))),
    rank: (plan, choice, { mask, namedMask, signal } = {}) =>
      pass((ticket) => native.rank(writeRankPlan(plan, choice), mask, namedMask, ticket), signal),
    findLikest: (plan, { mask, signal } = {}) =>
      pass((ticket) => native.findLikest(writeLikestPlan(plan), mask, ticket), signal),
    filter(plan) {
      const mask = rethrown(() => native.filter(writeFilterPlan(plan)))
      return countRows(mask) === native.rows ? undefined : mask
    },
    countFacts: ({ mask, signal } = {}) =>
      pass((ticket) => native.countFacts(mask, ticket), signal),
    taste: (plan, signal) => pass((ticket) => native.taste(writeTastePlan(plan), ticket), signal),
    likenesses: (plan, signal) =>
      pass((ticket) => native.likenesses(writeLikenessesPlan(plan), ticket), signal),
    close: () => native.close(),
  }
}

function rethrown<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw toNativeError(error)
  }
}

async function rejected<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw toNativeError(error)
  }
}
