/** GET / for people and monitors, /livez and /readyz for whatever runs the server. */
import { answer } from '../answer.js'
import type { AppServices } from '../app.js'
import type { AppContext } from '../env.js'
import type { Operation } from '../openapi/operation.js'
import type { Route } from '../route.js'
import { healthReport, probe } from '../schemas/health.js'

export interface Health {
  /** Cheap: it loads nothing and opens nothing. */
  report(): HealthReport
}

export interface HealthReport {
  /** `ok`: every dataset can be searched; `degraded`: some; `unavailable`: none; `stopping`: no more. */
  readonly status: 'ok' | 'degraded' | 'unavailable' | 'stopping'
  readonly version: string
  /** Whether searches that are worth it are answered by a CUDA device. */
  readonly cuda_available: boolean
  /** Why not; null when they are. */
  readonly cuda_reason: string | null
  /** What models run on, as `device` of /search names it. */
  readonly devices: readonly string[]
  /** Name of the similarity kernel that this processor runs. */
  readonly kernel: string
  /** Models of all kinds in memory, or on their way there; the one used longest ago first. */
  readonly models_loaded: readonly string[]
  readonly datasets: Readonly<Record<string, DatasetHealth>>
}

export interface DatasetHealth {
  readonly entries: number
  readonly columns: readonly string[]
  /** Models whose embeddings are there and match. */
  readonly models: readonly string[]
  /** Those of them whose embeddings are open now. */
  readonly models_loaded: readonly string[]
}

export interface ProbeAnswer {
  readonly status: 200 | 503
  readonly body: string
}

/** The process answers, so it is alive. */
export const alive: ProbeAnswer = { status: 200, body: JSON.stringify({ status: 'ok' }) }

/** By path; the front door answers most of them before the app. */
export const probes: Readonly<Record<'/' | '/livez' | '/readyz', (health: Health) => ProbeAnswer>> =
  {
    '/': (health) => ({ status: 200, body: JSON.stringify(health.report()) }),
    '/livez': () => alive,
    '/readyz': (health) => {
      const { status } = health.report()
      const isReady = status === 'ok' || status === 'degraded'
      return { status: isReady ? 200 : 503, body: JSON.stringify({ status }) }
    },
  }
export const probeHeaders = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

export function healthRoutes({ health }: Pick<AppServices, 'health'>): Route[] {
  const route = (path: keyof typeof probes, operation: Operation): Route => {
    const handler = (c: AppContext) => {
      const { status, body } = probes[path](health)
      return answer(c, body, status, probeHeaders)
    }
    return { group: 'health', method: 'GET', path, operation, guards: [], handler }
  }
  return [route('/', reporting), route('/livez', living), route('/readyz', beingReady)]
}

const reporting: Operation = {
  id: 'getHealth',
  tag: 'Health',
  summary: 'State of the server and its datasets',
  description: 'The state of the server, whether CUDA is available, and what can be searched.',
  answers: { 200: { description: 'Whatever the state is.', schema: healthReport } },
}
const living: Operation = {
  id: 'getLiveness',
  tag: 'Health',
  summary: 'Whether the process answers',
  description: 'For orchestrators: a server that does not answer this is to be restarted.',
  answers: { 200: { description: 'It does.', schema: probe } },
}
const beingReady: Operation = {
  id: 'getReadiness',
  tag: 'Health',
  summary: 'Whether to send requests here',
  description: 'For load balancers: a server that is not ready, or stops, is to be left out.',
  answers: {
    200: { description: 'Ready: `ok` or `degraded`.', schema: probe },
    503: { description: 'Not ready: `unavailable` or `stopping`.', schema: probe },
  },
}
