/**
 * The same vectors in this process, in one node of OpenSearch and in three: latency, throughput and memory, compared with what
 * the engine itself takes for the same search without Synoptic; and by its graph, with what that misses.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { VectorIndex } from '#synoptic/native/addon/vector-index.js'
import { normalized } from '#synoptic/search/opensearch/score-bound.js'
import { nearestRows } from '#synoptic/search/opensearch/searches.js'
import { openSearchHome } from './opensearch-home.js'
import type { MemoryOptions, MemoryResult } from './opensearch-process.js'
import { median } from './similarity-measure.js'
import type { Trial } from './trial.js'

type Material = typeof import('../tools/opensearch/material.js')

export const trial: Trial = {
  words: ['opensearch'],
  summary: 'Vectors in this process, in one node of OpenSearch, and in three.',
  run,
}

const rows = Number(process.env.SYNOPTIC_BENCH_ROWS ?? 20_000)
const nodeCounts = (process.env.SYNOPTIC_BENCH_NODES ?? '1,3').split(',').map(Number)
const [dimension, columns, k] = [384, 2, 10]
const alone = Math.min(100, Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 400))
const clients = 8
const together = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 400)

async function run(print: (line: string) => void): Promise<void> {
  const material = (await import(toolUrl('material.js'))) as Material
  const engines = await openSearchHome(print)
  if (engines === undefined) return
  const { home, startCluster } = engines
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  mkdirSync(folder, { recursive: true })
  try {
    const made = material.makeMaterial(folder, { rows, dimension, columns })
    const centres = material.makeCentres(dimension)
    const queries = Array.from({ length: together }, (_, i) =>
      material.randomVector(dimension, 10_000_000 + i, centres),
    )
    print(`  ${columns} x ${rows} x ${dimension}, the first ${k}; ${clients} clients for the rate`)
    print(
      `  ${'where'.padEnd(34)} p50 ms   p95 ms   searches/s   memory of the nodes; of Synoptic, mapped`,
    )
    const local = await material.openLocal(made)
    const expected = await answersOf(local, queries)
    const memoryOf = (urls: readonly string[]) =>
      memoryApart(folder, { made, urls, dimension, searches: queries.length })
    print(lineOf('embedded', await measure(searchOf(local), queries), 0, memoryOf([])))
    for (const count of nodeCounts) {
      const cluster = await startCluster({ home, folder: join(folder, `nodes${count}`), count })
      try {
        const spread = { shards: count, replicas: Math.min(1, count - 1) }
        const begunMs = performance.now()
        await material.publish(made, cluster.urls, spread)
        const seconds = (performance.now() - begunMs) / 1000
        const { index, engine, name } = await material.openRemote(made, cluster.urls)
        const found = await answersOf(index, queries)
        if (found !== expected) throw new Error('the answers differ from the embedded index')
        const what = count === 1 ? 'one node' : `${count} nodes, ${count} shards, 1 replica`
        const memory = cluster.nodes.reduce((sum, { child }) => sum + residentBytes(child.pid), 0)
        const ours = await measure(searchOf(index), queries)
        const bare = (query: Float32Array) =>
          engine.call({
            method: 'POST',
            path: `/${name}/_search`,
            query: { request_cache: false },
            body: { ...nearestRows(normalized(query) ?? query, k, {}), _source: false },
          })
        const theirs = await measure(bare, queries)
        print(lineOf(what, ours, memory, memoryOf(cluster.urls)))
        print(lineOf('  the engine alone', theirs, memory))
        print(
          `    ratio of the medians ${(ours.p50 / theirs.p50).toFixed(2)}; published in ${seconds.toFixed(0)} s`,
        )
        await engine.close()
      } finally {
        await cluster.stop()
      }
    }
    local.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Search = (query: Float32Array) => Promise<unknown>

const searchOf =
  (index: VectorIndex): Search =>
  (query) =>
    index.search(query, 1, k)

async function measure(search: Search, queries: readonly Float32Array[]) {
  for (const query of queries.slice(0, 30)) await search(query)
  const times: number[] = []
  for (const query of queries.slice(0, alone)) {
    const begunMs = performance.now()
    await search(query)
    times.push(performance.now() - begunMs)
  }
  const todo = queries.values()
  const client = async () => {
    for (const query of todo) await search(query)
  }
  const begunMs = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  const rate = queries.length / ((performance.now() - begunMs) / 1000)
  const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN
  return { p50: median(times), p95, rate }
}

/** Rows, columns and the bits of scores. */
async function answersOf(index: VectorIndex, queries: readonly Float32Array[]): Promise<string> {
  const answers: string[] = []
  for (const query of queries.slice(0, alone)) {
    const { rows: found, columns: best, scores } = await index.search(query, 1, k)
    const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length)
    answers.push([...found, ...best, ...bits].join(' '))
  }
  return answers.join('\n')
}

/** Of a process that does nothing else, beyond what it takes without an index. */
function memoryApart(folder: string, options: MemoryOptions): MemoryResult {
  const file = join(folder, 'memory.json')
  writeFileSync(file, JSON.stringify(options))
  const script = fileURLToPath(new URL('opensearch-process.js', import.meta.url))
  return JSON.parse(
    execFileSync(process.execPath, [script, file], { encoding: 'utf8' }),
  ) as MemoryResult
}

function lineOf(
  what: string,
  { p50, p95, rate }: Awaited<ReturnType<typeof measure>>,
  memory: number,
  own?: MemoryResult,
): string {
  const figures = [
    p50.toFixed(2).padStart(7),
    p95.toFixed(2).padStart(8),
    rate.toFixed(0).padStart(12),
  ]
  const nodes = memory === 0 ? '-' : `${(memory / 1e6).toFixed(0)} MB`
  const ours = own === undefined ? '' : `; ${own.own.toFixed(0)}, ${own.mapped.toFixed(0)} MB`
  return `  ${what.padEnd(33)} ${figures.join(' ')}   ${nodes}${ours}`
}

function residentBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid ?? 'self'}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/** As dist/bench is laid out. */
const toolUrl = (file: string) => new URL(`../../tools/opensearch/${file}`, import.meta.url).href
