/** Where the time of a request went: told in its answer, in the log and in the metrics. */
import { toMicroseconds } from '../search/microseconds.js'
import type { AppContext } from './env.js'

/** Milliseconds by member, such as `inferMs`; `totalMs` is no phase of its own. */
type Timings = object

/** Keeps the phases for log and metrics; answers them as `Server-Timing` for browsers and proxies. */
export function tellPhases(c: AppContext, timings: Timings): string {
  const all = Object.entries(timings).map(
    ([name, durationMs]) => [name.replace(/Ms$/, ''), Number(durationMs)] as const,
  )
  c.set('phases', Object.fromEntries(all.filter(([name]) => name !== 'total')))
  // All of the request until its answer is written: what is no phase is the server's own.
  const requestMs = toMicroseconds(performance.now() - c.get('begunMs'))
  return [...all, ['request', requestMs] as const]
    .map(([name, durationMs]) => `${name};dur=${durationMs}`)
    .join(', ')
}
