/** Calls in turns, their medians, and what differs between two answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchResult, VectorIndex } from '#synoptic/native/addon/vector-index.js'

/** Enough calls for a median, within a time that lets the whole run end. */
const minCalls = 3
const maxCalls = 40
const budgetMs = 12_000
/**
 * Before a call as short as this comes another that is not timed: the previous entrant has filled caches
 * and TLB with its own, and processors sleep while threads settle.
 */
const shortMs = 100

/** Threads of OpenBLAS and OpenMP wait for more work in a loop: for a tenth of a second, seen here. */
const settleMs = 150

export interface Runner {
  readonly label: string
  /** Leaves threads that take processors from the next entrant. */
  readonly lingers?: boolean
  /** What a shared scan reads instead of all float32. */
  readonly bytes?: number | undefined
  run(): Promise<{ readonly ms: number; readonly cpuMs: number }>
  /** Further cells of the table, after all runs. */
  details?(): string
}

export interface Result {
  readonly label: string
  readonly ms: number
  readonly cpuMs: number
  readonly bytes?: number | undefined
  readonly details?: (() => string) | undefined
}

/** The same matrices, opened without codes or with some. */
export interface Variant {
  readonly name: string
  readonly collection: VectorIndex
  /** By the planner. */
  readonly isChosen: boolean
  /** Of float32, by each core, while its codes were built. */
  readonly buildMbPerS?: number
}

/** One call of each after the other, again and again, so that noise meets all of them. */
export async function measureInTurns(runners: readonly Runner[]): Promise<Result[]> {
  const times = runners.map(() => ({ ms: [] as number[], cpuMs: [] as number[] }))
  const start = performance.now()
  for (let call = 0; call < maxCalls; call++) {
    if (call >= minCalls && performance.now() - start > budgetMs) break
    for (const [i, runner] of runners.entries()) {
      if ((times[i]?.ms.at(-1) ?? 0) < shortMs) await runner.run()
      const { ms, cpuMs } = await runner.run()
      times[i]?.ms.push(ms)
      times[i]?.cpuMs.push(cpuMs)
      if (runner.lingers === true) await sleep(settleMs)
    }
  }
  return runners.map((runner, i) => ({
    label: runner.label,
    bytes: runner.bytes,
    ms: median(times[i]?.ms ?? []),
    cpuMs: median(times[i]?.cpuMs ?? []),
    details: runner.details?.bind(runner),
  }))
}

/** A search of ours; its first answer is compared with that of the variant without codes. */
export function ownRunner(
  { name, collection }: Variant,
  variants: readonly Variant[],
  queries: Float32Array,
  batch: number,
  k: number,
): Runner {
  let calls = 0
  let scored = 0
  let mismatches: number | undefined
  const { codes = [] } = collection.stats()
  const codesBytes = codes.map((stats) => (stats && 'bytes' in stats ? stats.bytes : NaN))
  const bytes = codesBytes.reduce((sum, size) => sum + size, 0)
  return {
    label: name,
    bytes: Number.isNaN(bytes) ? undefined : bytes,
    async run() {
      const scoredBefore = collection.stats().pairsScored ?? 0
      const cpuBefore = process.cpuUsage()
      const start = performance.now()
      const answer = await collection.search(queries, batch, k, { distinct: false })
      const ms = performance.now() - start
      const { user, system } = process.cpuUsage(cpuBefore)
      scored += (collection.stats().pairsScored ?? 0) - scoredBefore
      calls += 1
      const reference = variants[0]?.collection
      if (mismatches === undefined && reference && reference !== collection) {
        mismatches = differences(
          answer,
          await reference.search(queries, batch, k, { distinct: false }),
        )
      }
      return { ms, cpuMs: (user + system) / 1000 }
    },
    details: () =>
      `${(scored / calls / batch).toFixed(0).padStart(14)}${String(mismatches ?? '').padStart(12)}`,
  }
}

/** Of the results with the same label the fastest. */
export function bestOfEach(results: readonly Result[]): Result[] {
  const best = new Map<string, Result>()
  for (const result of results) {
    const other = best.get(result.label)
    if (!other || result.ms < other.ms) best.set(result.label, result)
  }
  return [...best.values()]
}

/** Hits that are not the same to the bit. */
export function differences(a: SearchResult, b: SearchResult): number {
  const bits = ({ scores }: SearchResult) => new Uint32Array(scores.buffer)
  const [aBits, bBits] = [bits(a), bits(b)]
  return a.rows.reduce(
    (sum, row, i) =>
      sum + Number(row !== b.rows[i] || a.columns[i] !== b.columns[i] || aBits[i] !== bBits[i]),
    0,
  )
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
