/** The figures as text for people and as JSON for programs: no timings, so equal runs are equal bytes. */
import { counted } from '../../base/util/counted.js'
import { version } from '../../base/util/version.js'
import type { Estimate, Figures } from './figures.js'
import type { LeftOut } from './known-items.js'
import type { System } from './systems.js'

export interface MeasuredSet {
  readonly name: string
  /** Queries. */
  readonly queries: number
  readonly leftOut: readonly LeftOut[]
  readonly systems: readonly (System & Figures)[]
}

const intervals = '95 % intervals: percentile bootstrap for MRR, Wilson for recall'

export function describeSets(sets: readonly MeasuredSet[]): string {
  return `${sets.map(describeSet).join('\n')}\n(${intervals})\n`
}

export function setsJson(sets: readonly MeasuredSet[]): string {
  return `${JSON.stringify({ program: `synoptic ${version}`, intervals, sets }, null, 2)}\n`
}

function describeSet({ name, queries, leftOut, systems }: MeasuredSet): string {
  const reasons = leftOut.map(({ reason, count }) => `\n  left out: ${count} ${reason}`)
  const head = `${name}: ${counted(queries, 'query', 'queries')}${reasons.join('')}\n`
  return queries === 0 ? head : `${head}\n${table([headings, ...systems.map(cellsOf)])}`
}

const headings = ['model', 'mode', 'reranker', 'MRR@10', 'recall@1', 'recall@10', 'recall@100']

function cellsOf({ model, mode, reranker, ...figures }: System & Figures): string[] {
  const { mrrAt10, recallAt1, recallAt10, recallAt100 } = figures
  const shown = [mrrAt10, recallAt1, recallAt10, recallAt100].map(describeEstimate)
  return [model ?? '-', mode, reranker ?? 'none', ...shown]
}

const describeEstimate = ({ value, low, high }: Estimate) =>
  `${value.toFixed(3)} (${low.toFixed(3)} - ${high.toFixed(3)})`

/** @param all headings first */
export function table(all: readonly (readonly string[])[]): string {
  const widths = (all[0] ?? []).map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return all.map((row) => `  ${line(row).trimEnd()}\n`).join('')
}
