/** deploy/observability: every metric, phase and problem that it names is one of a real server's. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { problemKinds } from '#synoptic/server/problems/error-status.js'
import { ask, deathNote, startServer, type ServerChild } from '../serve/child.js'
import { importSample } from '../serve/sample.js'

const place = fileURLToPath(new URL('../../deploy/observability/', import.meta.url))
const read = (name: string) => readFileSync(join(place, name), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'synoptic-observed-'))
const files = ['alerts.yaml', 'alert-cases.yaml', 'dashboard.json', 'prometheus-adapter.yaml']

let server: ServerChild | undefined
let metrics = ''

beforeAll(async () => {
  await importSample(folder)
  // Several processes, for the primary has metrics of its own.
  server = await startServer(folder, ['--workers', '2', '--threads', '1', '--log-file', 'none'])
  await ask(server.origin, deathNote)
  metrics = await (await fetch(`${server.origin}/metrics`)).text()
})

afterAll(async () => {
  await server?.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

const namesIn = (text: string) => [
  ...new Set(text.match(/\b(?:synoptic|nodejs|process)_[a-z0-9_]+/g) ?? []),
]

/** With the series that a histogram is made of. */
function knownNames(): Set<string> {
  const types = [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )
}

/** Values of a label: words, or alternatives of a regular expression. */
const valuesOf = (label: string, text: string) => [
  ...new Set(
    [...text.matchAll(new RegExp(`\\b${label}=~?\\\\?"([^"\\\\]+)`, 'g'))].flatMap(
      ([, value = '']) => value.split('|'),
    ),
  ),
]

describe('the files of deploy/observability', () => {
  it.each(files)('%s names metrics that there are', (name) => {
    const text = read(name)
    // What the adapter makes of them.
    const names = namesIn(text).filter((metric) => metric !== 'synoptic_queue_wait_seconds')
    expect(names.length).toBeGreaterThan(0)
    const known = knownNames()
    expect(names.filter((metric) => !known.has(metric))).toEqual([])
  })

  it.each(files)('%s names phases, problems and routes that there are', (name) => {
    const text = read(name)
    for (const phase of valuesOf('phase', text)) expect(metrics).toContain(`phase="${phase}"`)
    for (const problem of valuesOf('problem', text)) {
      const pattern = new RegExp(`^(?:${problem})$`)
      expect(
        problemKinds.filter((kind) => pattern.test(kind.name)).map((kind) => kind.name),
      ).not.toEqual([])
    }
  })

  it('makes the metric that the autoscaler reads', () => {
    const autoscaler = parse(
      readFileSync(join(place, '../kubernetes/base/autoscaler.yaml'), 'utf8'),
    ) as { spec: { metrics: { pods?: { metric: { name: string } } }[] } }
    const adapter = parse(read('prometheus-adapter.yaml')) as {
      rules: { custom: { name: { as: string } }[] }
    }
    expect(autoscaler.spec.metrics.flatMap(({ pods }) => (pods ? [pods.metric.name] : []))).toEqual(
      adapter.rules.custom.map((rule) => rule.name.as),
    )
  })

  it('has alerts that promtool takes, and that come when they should', ({ skip }) => {
    if (spawnSync('promtool', ['--version']).error)
      skip('there is no promtool: apt-get install prometheus')
    const run = (...words: string[]) =>
      spawnSync('promtool', words, { cwd: place, encoding: 'utf8' })
    const checked = run('check', 'rules', 'alerts.yaml')
    expect({ status: checked.status, said: checked.stderr }).toEqual({ status: 0, said: '' })
    const tested = run('test', 'rules', 'alert-cases.yaml')
    expect({ status: tested.status, said: tested.stderr }).toEqual({ status: 0, said: '' })
  })

  it('has a dashboard whose panels lie side by side, each with its own number', () => {
    const { panels } = JSON.parse(read('dashboard.json')) as {
      panels: { id: number; gridPos: Record<'x' | 'y' | 'w' | 'h', number> }[]
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const places = panels.map(({ gridPos: { x, y, w } }) => {
      expect(x + w).toBeLessThanOrEqual(24)
      return `${x} ${y}`
    })
    expect(new Set(places).size).toBe(panels.length)
  })
})
