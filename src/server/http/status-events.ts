/** The state of the server as a stream of events: what GET / and GET /metrics say, every two seconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { streamSSE } from 'hono/streaming'
import { OverloadedError } from '../../base/errors/index.js'
import type { AppHandler } from './env.js'
import type { AppServices } from './services.js'
import { statusHistory, type Moment } from './status-history.js'
import type { SearchSummary } from '../schemas/search-summary.js'
import type { GpuPlan, HealthReport } from '../schemas/server-health.js'

export interface StatusEvent {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly health: HealthReport
  /** Null where no GPU is used. */
  readonly gpu: GpuPlan | null
  /** Null without `--analytics`. */
  readonly searches: SearchSummary | null
  /** Lines of the text format of Prometheus, without comments. */
  readonly metrics: string
  /** The last five minutes; only in the first event of a request with `history=true`. */
  readonly history?: readonly Moment[]
}

const everyMs = 2000
const streamMs = 60_000
/** A browser waits so long before it reconnects. */
const retryMs = 300
/** Streams at once: operators are few, and each stream holds a connection. */
const maxStreams = 20

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
}

/** A stream ends when the server stops, and after a minute: browsers ask again, and see what a reload has put in place. */
export function statusEvents({
  health,
  gpuPlan,
  metricsText,
  analytics,
}: Pick<AppServices, 'gpuPlan' | 'health' | 'metricsText' | 'analytics'>): AppHandler {
  let open = 0
  const history = statusHistory(metricsText, shown)
  return (c) => {
    // Nobody reads the body of an answer to HEAD, so no stream may wait for it.
    if (c.req.method === 'HEAD') return c.body(null, 200, streamHeaders)
    if (open >= maxStreams) throw new OverloadedError()
    open += 1
    c.header('X-Accel-Buffering', streamHeaders['X-Accel-Buffering'])
    let past = c.req.query('history') === 'true' ? history() : undefined
    const response = streamSSE(c, async (stream) => {
      const left = new AbortController()
      stream.onAbort(() => left.abort())
      // A client that reads no more lets a write wait for good; aborting the stream ends it.
      const end = setTimeout(() => stream.abort(), streamMs).unref()
      try {
        while (!left.signal.aborted) {
          const report = health.report()
          const event: StatusEvent = {
            at: Date.now(),
            health: report,
            gpu: (await gpuPlan?.()) ?? null,
            searches: (await analytics?.summary()) ?? null,
            metrics: shown(await metricsText()),
            ...(past && { history: past }),
          }
          past = undefined
          await stream.writeSSE({ data: JSON.stringify(event), retry: retryMs })
          if (report.status === 'stopping') break
          // Does not keep a process alive that has nothing else to do.
          await sleep(everyMs, undefined, { signal: left.signal, ref: false }).catch(
            () => undefined,
          )
        }
      } finally {
        clearTimeout(end)
        open -= 1
      }
    })
    // Node writes them where HTTP/1 needs them; HTTP/2 forbids them.
    response.headers.delete('Transfer-Encoding')
    response.headers.delete('Connection')
    return response
  }
}

/** What the page shows; buckets of single routes are many and are not among it. */
function shown(text: string): string {
  return text
    .split('\n')
    .filter((line) => /^(?:synoptic_|process_resident_memory_bytes)/.test(line))
    .join('\n')
}
