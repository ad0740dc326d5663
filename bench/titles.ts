/**
 * What lookups in an index of titles cost: 60,000 rows of ten invented titles each, in a process of its
 * own, so that its memory is nobody else's. The baseline is a plain pass over all titles, as a search
 * without an index would do.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Trial } from './trial.js'

const rows = 60_000
const limits = { lookupMs: 2, openMs: 50, megabytes: 150 }

export const trial: Trial = {
  words: ['titles'],
  summary: `Lookups among ${rows} rows of ten titles each.`,
  run(print) {
    const script = fileURLToPath(new URL('titles-process.js', import.meta.url))
    const result = execFileSync(process.execPath, ['--expose-gc', script, String(rows)])
    const { titles, build, blob, open, held, lookups } = JSON.parse(String(result)) as TitlesResult
    print(`${titles} titles, built in ${(build / 1000).toFixed(1)} s, ${blob.toFixed(0)} MB`)
    print(`  opened in ${open.toFixed(1)} ms; ${within(open, limits.openMs, 'ms')}`)
    print(`  holds ${held.toFixed(0)} MB; ${within(held, limits.megabytes, 'MB')}`)
    for (const { name, p50, p99, baseline } of lookups) {
      const ratio =
        baseline === null ? '' : `, ${(baseline / p50).toFixed(0)} times a pass over all`
      const verdict = within(p50, limits.lookupMs, 'ms')
      print(
        `  ${name.padEnd(28)}p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms${ratio}; ${verdict}`,
      )
    }
    return Promise.resolve()
  },
}

/** What bench/titles-process.ts prints as JSON; times in milliseconds, sizes in megabytes. */
export interface TitlesResult {
  readonly titles: number
  readonly build: number
  readonly blob: number
  readonly open: number
  readonly held: number
  readonly lookups: readonly {
    readonly name: string
    readonly p50: number
    readonly p99: number
    readonly baseline: number | null
  }[]
}

function within(value: number, limit: number, unit: string): string {
  return `${value <= limit ? 'within' : 'BEYOND'} ${limit} ${unit}`
}
