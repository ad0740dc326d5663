/** Where the time of a request went: in its Server-Timing header, in the log and in the metrics. */
import { setMetric, timing } from 'hono/timing'
import { toMicroseconds } from '../util/microseconds.js'
import type { AppContext } from './env.js'

/** Milliseconds by member, such as `inferMs`; `totalMs` is no phase of its own. */
type Timings = object

/** Writes Server-Timing where a route has reported its phases. */
export const serverTiming = timing({
  total: false,
  enabled: (c: AppContext) => c.get('phases') !== undefined,
})

/** Microseconds are the third decimal. */
const decimals = 3

/** Keeps the phases for log and metrics, and puts them into Server-Timing. */
export function reportPhases(c: AppContext, timings: Timings): void {
  const phases: Record<string, number> = {}
  for (const [member, durationMs] of Object.entries(timings)) {
    const name = member.slice(0, -'Ms'.length)
    if (name !== 'total') phases[name] = Number(durationMs)
    setMetric(c, name, Number(durationMs), undefined, decimals)
  }
  c.set('phases', phases)
  // The whole request until its response is written: the rest beside the phases is the server's own time.
  const requestMs = toMicroseconds(performance.now() - c.get('begunMs'))
  setMetric(c, 'request', requestMs, undefined, decimals)
}
