/** Where the time of a request went: in its Server-Timing header, in the log and in the metrics. */
import { toMicroseconds } from '../../base/util/microseconds.js'
import type { AppContext } from './env.js'

/** Milliseconds by member, such as `inferMs`; `totalMs` is not a phase of its own. */
type Timings = object

/** Keeps the phases for log and metrics, and sets Server-Timing. */
export function reportPhases(c: AppContext, timings: Timings): void {
  const phases: Record<string, number> = {}
  let header = ''
  for (const [member, durationMs] of Object.entries(timings)) {
    const name = member.slice(0, -'Ms'.length)
    if (name !== 'total') phases[name] = Number(durationMs)
    header += `${name};dur=${durationMs}, `
  }
  c.set('phases', phases)
  // The whole request until its response is written: what the phases leave is the server's own time.
  const requestMs = toMicroseconds(performance.now() - c.get('begunMs'))
  c.header('Server-Timing', `${header}request;dur=${requestMs}`)
}
