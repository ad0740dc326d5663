/** What a serving process counts and times, for Prometheus. Names and meanings: docs/operating.md. */
import { Counter, Gauge, Histogram } from 'prom-client'
import { createGpuMetrics } from './gpu-metrics.js'
import type { MetricsSink, ProcessState } from '../../base/observability/metrics-sink.js'
import { createProcessReport, type ProcessReport } from './process-report.js'

export interface Metrics extends MetricsSink, ProcessReport {
  request(request: RequestFacts): void
  /** @param phases milliseconds by name */
  phases(phases: Readonly<Record<string, number>>): void
  /** From here on the report contains this state. */
  watch(state: () => ProcessState): void
}

interface RequestFacts {
  /** Path as the documentation writes it. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
  /** Name of the key that it came with. */
  readonly key?: string | undefined
  /** Kind of the problem in the response. */
  readonly problem?: string | undefined
}

/** Seconds, from a fraction of a millisecond to the longest request. */
const requestBuckets = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30,
]
const phaseBuckets = [0.00005, 0.0001, 0.0002, ...requestBuckets.slice(0, -2)]
const powersOfTwo = (last: number) => Array.from({ length: last + 1 }, (_, power) => 2 ** power)

/** @param worker names the process where several serve */
export function createMetrics(worker: string): Metrics {
  const { registry, report } = createProcessReport(worker)
  const registers = [registry]
  const requestSeconds = new Histogram({
    name: 'synoptic_request_duration_seconds',
    help: 'Seconds from the head of a request to its response.',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: requestBuckets,
    registers,
  })
  const phaseSeconds = new Histogram({
    name: 'synoptic_phase_duration_seconds',
    help: 'Seconds of each phase of a search, as Server-Timing names them.',
    labelNames: ['phase'] as const,
    buckets: phaseBuckets,
    registers,
  })
  const problems = new Counter({
    name: 'synoptic_problems_total',
    help: 'Requests that were refused, failed or left, by the type of the problem.',
    labelNames: ['problem'] as const,
    registers,
  })
  const keyRequests = new Counter({
    name: 'synoptic_key_requests_total',
    help: 'Requests by the name of their key.',
    labelNames: ['key', 'status'] as const,
    registers,
  })
  const batchTexts = new Histogram({
    name: 'synoptic_encoder_batch_texts',
    help: 'Texts, or pairs of a cross-encoder, that a model reads at once.',
    labelNames: ['model'] as const,
    buckets: powersOfTwo(9),
    registers,
  })
  const batchTokens = new Histogram({
    name: 'synoptic_encoder_batch_tokens',
    help: 'Tokens that a model reads at once, padding included.',
    labelNames: ['model'] as const,
    buckets: powersOfTwo(15).slice(2),
    registers,
  })
  const tokens = new Counter({
    name: 'synoptic_encoder_tokens_total',
    help: 'Tokens that models have read: of texts, and of padding to longer texts.',
    labelNames: ['model', 'of'] as const,
    registers,
  })
  const scanQueries = new Histogram({
    name: 'synoptic_sweep_queries',
    help: 'Queries that share one scan of the vectors.',
    labelNames: ['dataset', 'model'] as const,
    buckets: powersOfTwo(6),
    registers,
  })
  const scannedBytes = new Counter({
    name: 'synoptic_scanned_bytes_total',
    help: 'Bytes of quantized codes, and of vectors without codes, that the processor has scanned.',
    labelNames: ['dataset', 'model'] as const,
    registers,
  })
  const candidates = new Counter({
    name: 'synoptic_survivors_total',
    help: 'Candidates: vectors that were scored exactly, one for each query.',
    labelNames: ['dataset', 'model'] as const,
    registers,
  })
  const verifiedBytes = new Counter({
    name: 'synoptic_verified_bytes_total',
    help: 'Bytes of files that were compared with their hashes during searches.',
    registers,
  })
  const queries = new Counter({
    name: 'synoptic_query_vectors_total',
    help: 'Vectors of queries: from the cache (hit), or encoded (miss).',
    labelNames: ['model', 'cache'] as const,
    registers,
  })
  // Ten for each response, so the counter takes them over when its value is read.
  let pending = { hit: 0, miss: 0 }
  new Counter({
    name: 'synoptic_entries_total',
    help: 'Entries of responses: from the cache (hit), or read from the catalogue (miss).',
    labelNames: ['cache'] as const,
    registers,
    collect() {
      for (const cache of ['hit', 'miss'] as const) this.inc({ cache }, pending[cache])
      pending = { hit: 0, miss: 0 }
    },
  })
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['worker'] as const, registers })
  const requests = gauge('synoptic_requests_in_flight', 'Requests in progress.')
  const mappedBytes = gauge('synoptic_mapped_bytes', 'Bytes of mapped vectors.')
  const modelBytes = gauge(
    'synoptic_model_bytes',
    'Memory of loaded models, as --model-memory-limit counts it.',
  )
  const damaged = gauge(
    'synoptic_damaged',
    'Collections, token lists and catalogues out of service because a file is damaged.',
  )
  const updateGpu = createGpuMetrics(registry, worker)
  let currentState: (() => ProcessState) | undefined

  return {
    registry,
    report() {
      const state = currentState?.()
      requests.set({ worker }, state?.requests ?? 0)
      mappedBytes.set({ worker }, state?.mappedBytes ?? 0)
      modelBytes.set({ worker }, state?.modelBytes ?? 0)
      damaged.set({ worker }, state?.damaged ?? 0)
      updateGpu()
      return report()
    },
    request({ route, method, status, seconds, key, problem }) {
      requestSeconds.observe({ route, method, status }, seconds)
      if (problem !== undefined) problems.inc({ problem })
      if (key !== undefined) keyRequests.inc({ key, status })
    },
    phases(phases) {
      for (const phase in phases) phaseSeconds.observe({ phase }, (phases[phase] ?? 0) / 1000)
    },
    batch(model, { texts, tokens: ofTexts, padding }) {
      batchTexts.observe({ model }, texts)
      batchTokens.observe({ model }, ofTexts + padding)
      tokens.inc({ model, of: 'texts' }, ofTexts)
      tokens.inc({ model, of: 'padding' }, padding)
    },
    sharedScan: (dataset, model, queries) => scanQueries.observe({ dataset, model }, queries),
    scanned(dataset, model, work) {
      scannedBytes.inc({ dataset, model }, work.bytes)
      candidates.inc({ dataset, model }, work.candidates)
    },
    query: (model, isCached) => queries.inc({ model, cache: isCached ? 'hit' : 'miss' }),
    entry(isCached) {
      if (isCached) pending.hit += 1
      else pending.miss += 1
    },
    verified: (bytes) => verifiedBytes.inc(bytes),
    watch(state) {
      currentState = state
    },
  }
}
