/** GET / for people and monitors, /livez and /readyz for whatever runs the server. */
import type { AppServices } from '../app.js'
import type { AppContext } from '../env.js'
import type { Route } from '../route.js'

export interface Health {
  /** Cheap: it loads nothing and opens nothing. */
  report(): HealthReport
}

export interface HealthReport {
  /** `ok`: every dataset can be searched; `degraded`: some; `unavailable`: none; `stopping`: no more. */
  readonly status: 'ok' | 'degraded' | 'unavailable' | 'stopping'
  readonly version: string
  readonly cuda_available: boolean
  /** Name of the similarity kernel that this processor runs. */
  readonly kernel: string
  readonly datasets: Readonly<Record<string, DatasetHealth>>
}

export interface DatasetHealth {
  readonly entries: number
  readonly columns: readonly string[]
  /** Models whose embeddings are there and match. */
  readonly models: readonly string[]
  /** Those of them that are open now. */
  readonly models_loaded: readonly string[]
}

export function healthRoutes({ health }: Pick<AppServices, 'health'>): Route[] {
  const route = (path: string, handler: Route['handler']): Route => {
    return { group: 'health', method: 'GET', path, guards: [], handler }
  }
  return [
    route('/', (c) => answer(c, health.report(), 200)),
    // The process answers, so it is alive.
    route('/livez', (c) => answer(c, { status: 'ok' }, 200)),
    route('/readyz', (c) => {
      const { status } = health.report()
      return answer(c, { status }, status === 'ok' || status === 'degraded' ? 200 : 503)
    }),
  ]
}

const answer = (c: AppContext, body: object, status: 200 | 503) =>
  c.body(JSON.stringify(body), status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  })
