/** Where the time of a request went: told in its answer, in the log and in the metrics. */
import { toMicroseconds } from '../util/microseconds.js'
import type { AppContext } from './env.js'

/** Milliseconds by member, such as `inferMs`; `totalMs` is no phase of its own. */
type Timings = object

/** Keeps the phases for log and metrics; answers them as `Server-Timing` for browsers and proxies. */
export function tellPhases(c: AppContext, timings: Timings): string {
  const phases: Record<string, number> = {}
  let told = ''
  for (const [member, durationMs] of Object.entries(timings)) {
    const name = member.slice(0, -'Ms'.length)
    if (name !== 'total') phases[name] = Number(durationMs)
    told += `${name};dur=${durationMs}, `
  }
  c.set('phases', phases)
  // All of the request until its answer is written: what is no phase is the server's own.
  return `${told}request;dur=${toMicroseconds(performance.now() - c.get('begunMs'))}`
}
