/** What the server does and holds, in tables. */
import type { ComponentChildren } from 'preact'
import { quantile, sumOf, valuesOf } from '../lib/metrics.js'
import { bytes, seconds } from './numbers.js'
import { ends, health } from './watch.js'

export interface TableProps {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  readonly empty: string
}

export function Table({ title, head, rows, empty }: TableProps) {
  return (
    <section>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="aside">{empty}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="group" aria-label={title}>
          <table>
            <thead>
              <tr>
                {head.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, ...cells], row) => (
                <tr key={row}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, at) => (
                    <td key={at}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const requestSeconds = 'synoptic_request_duration_seconds'
const phaseSeconds = 'synoptic_phase_duration_seconds'

/** Median, and what 5 and 1 of 100 exceed. */
function times(name: string, labels: Readonly<Record<string, string>>): string[] {
  return [0.5, 0.95, 0.99].map((share) => seconds(quantile(share, ends(), name, labels)))
}

const grown = (name: string, labels: Readonly<Record<string, string>>) =>
  sumOf(ends().now, name, labels) - sumOf(ends().before, name, labels)

export function Routes() {
  const rows = valuesOf(ends().now, `${requestSeconds}_count`, 'route')
    .map((route) => ({ route, count: grown(`${requestSeconds}_count`, { route }) }))
    .filter(({ route, count }) => count > 0 && !/\.(?:js|css|svg|png)$/.test(route))
    .sort((one, other) => other.count - one.count)
    .map(({ route, count }) => [route, count, ...times(requestSeconds, { route })])
  return (
    <Table
      title="Requests by route"
      head={['Route', 'Count', 'p50', 'p95', 'p99']}
      rows={rows}
      empty="No requests yet."
    />
  )
}

export function Phases() {
  const rows = valuesOf(ends().now, `${phaseSeconds}_count`, 'phase')
    .map((phase) => ({ phase, count: grown(`${phaseSeconds}_count`, { phase }) }))
    .filter(({ count }) => count > 0)
    .map(({ phase, count }) => [phase, count, ...times(phaseSeconds, { phase })])
  return (
    <Table
      title="Phases of searches"
      head={['Phase', 'Count', 'p50', 'p95', 'p99']}
      rows={rows}
      empty="No searches yet."
    />
  )
}

export function Problems() {
  const rows = valuesOf(ends().now, 'synoptic_problems_total', 'problem')
    .map((problem) => [
      problem,
      grown('synoptic_problems_total', { problem }),
      sumOf(ends().now, 'synoptic_problems_total', { problem }),
    ])
    .sort(([, one], [, other]) => Number(other) - Number(one))
  return (
    <Table
      title="Refusals and faults"
      head={['Problem', 'Lately', 'Since the start']}
      rows={rows}
      empty="None since the start."
    />
  )
}

export function Datasets() {
  const rows = Object.entries(health.value?.datasets ?? {}).map(
    ([name, { entries, columns, models, models_loaded: loaded, version }]) => [
      name,
      entries.toLocaleString('en'),
      columns.length,
      version.slice(0, 8),
      models.map((model) => (loaded.includes(model) ? model : `${model} (idle)`)).join(', '),
    ],
  )
  return (
    <Table
      title="Datasets"
      head={['Dataset', 'Works', 'Text columns', 'Version', 'Searched by']}
      rows={rows}
      empty="There is no dataset."
    />
  )
}

export function Memory() {
  const { now } = ends()
  const damaged = sumOf(now, 'synoptic_damaged')
  const rows: (readonly [string, string])[] = [
    ['Models', bytes(sumOf(now, 'synoptic_model_bytes'))],
    ['Mapped vectors', bytes(sumOf(now, 'synoptic_mapped_bytes'))],
    ...gpuRows(now),
    ['Loaded models', health.value?.models_loaded.join(', ') ?? ''],
    ...(damaged > 0 ? [['Damaged, out of service', String(damaged)] as const] : []),
  ]
  return (
    <Facts title="What it holds">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || 'none'}</dd>
        </div>
      ))}
    </Facts>
  )
}

/** GPU memory, where the server uses one. */
function gpuRows(now: ReturnType<typeof ends>['now']): (readonly [string, string])[] {
  const names = [...new Set(now.map(({ name }) => name))]
  return names
    .filter((name) => /^synoptic_gpu\w*_bytes$/.test(name))
    .map((name) => [
      name
        .replace(/^synoptic_gpu_?/, 'GPU: ')
        .replace(/_bytes$/, '')
        .replaceAll('_', ' '),
      bytes(sumOf(now, name)),
    ])
}

function Facts({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="work">
      <h2>{title}</h2>
      <dl>{children}</dl>
    </section>
  )
}
