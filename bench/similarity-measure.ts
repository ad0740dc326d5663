/** Calls in turns, their medians, and what differs between two answers. */
import type { SearchAnswer } from '#synoptic/search/vector-index.js'

/** Enough calls for a median, within a time that lets the whole run end. */
const fewestCalls = 3
const mostCalls = 40
const budgetMs = 4000

export interface Runner {
  readonly label: string
  run(): Promise<{ readonly ms: number; readonly cpuMs: number }>
  /** Further cells of the table, after all runs. */
  details?(): string
}

export interface Result {
  readonly label: string
  readonly ms: number
  readonly cpuMs: number
  readonly details?: (() => string) | undefined
}

/** One call of each after the other, again and again, so that noise meets all of them. */
export async function measureInTurns(runners: readonly Runner[]): Promise<Result[]> {
  const times = runners.map(() => ({ ms: [] as number[], cpuMs: [] as number[] }))
  const start = performance.now()
  for (let call = 0; call < mostCalls; call++) {
    if (call >= fewestCalls && performance.now() - start > budgetMs) break
    for (const [i, runner] of runners.entries()) {
      const { ms, cpuMs } = await runner.run()
      times[i]?.ms.push(ms)
      times[i]?.cpuMs.push(cpuMs)
    }
  }
  return runners.map((runner, i) => ({
    label: runner.label,
    ms: median(times[i]?.ms ?? []),
    cpuMs: median(times[i]?.cpuMs ?? []),
    details: runner.details?.bind(runner),
  }))
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
export function differences(a: SearchAnswer, b: SearchAnswer): number {
  const bits = ({ scores }: SearchAnswer) => new Uint32Array(scores.buffer)
  const [aBits, bBits] = [bits(a), bits(b)]
  return a.rows.reduce(
    (sum, row, i) =>
      sum + Number(row !== b.rows[i] || a.columns[i] !== b.columns[i] || aBits[i] !== bBits[i]),
    0,
  )
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
