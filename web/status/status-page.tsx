/** The operators' view: is it well, is it quick, what does it hold. */
import { useEffect } from 'preact/hooks'
import { quantile, sumOf } from '../lib/metrics.js'
import { KeyForm } from '../parts/key-form.js'
import type { HealthReport } from '../../src/server/schemas/server-health.js'
import { SourceList } from '../parts/sources.js'
import { Chart } from './chart.js'
import { bytes, ratio, seconds, words } from './numbers.js'
import { GpuPlan } from './gpu-plan.js'
import { Searches } from './searches.js'
import { Datasets, Memory, Phases, Problems, Routes } from './tables.js'
import { connection, ends, health, refusal, steps, watch } from './watch.js'

const requestSeconds = 'synoptic_request_duration_seconds'

export function StatusPage() {
  useEffect(watch, [])
  const report = health.value
  return (
    <>
      <header class="masthead">
        <a class="wordmark" href="./">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="3" />
            <circle cx="14" cy="14" r="6.2" />
            <path d="m18.8 18.8 5.4 5.4" />
          </svg>
          Synoptic
        </a>
        <p role="status">{words.connection[connection.value]}</p>
        <nav aria-label="On this server">
          <a href="./">Search</a>
        </nav>
      </header>
      <main class="status">
        <h1>{headingOf(report)}</h1>
        {connection.value === 'locked' && <KeyForm message={refusal.value} onKey={nothingMore} />}
        {report && (
          <>
            <p class="aside">
              Version {report.version}, kernel {report.kernel}, models run on{' '}
              {report.devices.join(', ')}. {reloadWords(report.last_reload)}
            </p>
            <Numbers />
            <div class="status-columns">
              <Routes />
              <Phases />
              <Datasets />
              <Memory />
              <Problems />
              <Searches />
              <GpuPlan />
              <Sources />
            </div>
            <p class="aside">
              Times and counts cover the last five minutes, or the time since the server started.{' '}
              <a href="metrics">The metrics</a> cover everything since then.
            </p>
          </>
        )}
      </main>
    </>
  )
}

function headingOf(report: typeof health.value): string {
  if (connection.value === 'locked') return 'This server needs a key with the scope admin.'
  if (connection.value === 'lost') return 'The server is not responding.'
  return report ? words.status[report.status] : 'Connecting…'
}

/** `watch` follows the key. */
const nothingMore = () => undefined
function reloadWords(last: HealthReport['last_reload']): string {
  if (last === null) return 'Not reloaded since its start.'
  const when = new Date(last.at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' })
  return last.result === 'done'
    ? `Last reload: ${when}, done.`
    : `Last reload: ${when}, failed: what was served before still is, and the log says why.`
}

function Sources() {
  const all = Object.values(health.value?.datasets ?? {}).flatMap(({ sources }) => sources)
  const sources = [...new Map(all.map((source) => [source.name, source])).values()]
  return (
    <section aria-label="Sources and licences">
      <h2>Sources and licences</h2>
      {sources.length === 0 ? (
        <p class="aside">The import did not record the sources.</p>
      ) : (
        <SourceList sources={sources} />
      )}
    </section>
  )
}

function Numbers() {
  const { before, now, seconds: span } = ends()
  const count = (samples: typeof now) => sumOf(samples, `${requestSeconds}_count`)
  const rates = steps((from, to, passed) => Math.max(0, count(to) - count(from)) / passed)
  const p95s = steps((from, to) => quantile(0.95, { before: from, now: to }, requestSeconds) ?? 0)
  const grown = (name: string, labels = {}) =>
    sumOf(now, name, labels) - sumOf(before, name, labels)
  const hits = grown('synoptic_query_vectors_total', { cache: 'hit' })
  const misses = grown('synoptic_query_vectors_total', { cache: 'miss' })
  const inFlight = sumOf(now, 'synoptic_requests_in_flight')
  const rate = span > 0 ? Math.max(0, count(now) - count(before)) / span : 0
  return (
    <dl class="numbers">
      <div>
        <dt>Requests a second</dt>
        <dd>
          {rate.toFixed(1)}
          <Chart values={rates} label="Requests a second over time" />
        </dd>
      </div>
      <div>
        <dt>95 % of requests within</dt>
        <dd>
          {seconds(quantile(0.95, { before, now }, requestSeconds))}
          <Chart values={p95s} label="What 95 % of requests took, over time" />
        </dd>
      </div>
      <div>
        <dt>In progress</dt>
        <dd>{inFlight}</dd>
      </div>
      <div>
        <dt>Queries from cache</dt>
        <dd>{ratio(hits, hits + misses)}</dd>
      </div>
      <div>
        <dt>Memory in use</dt>
        <dd>{bytes(sumOf(now, 'process_resident_memory_bytes'))}</dd>
      </div>
    </dl>
  )
}
