/**
 * Exact search over several matrices, through quantized codes and without: time, bytes, candidates and, against
 * the exact answers, mismatches; in turns with FAISS at its best setting, USearch and numpy.
 * SYNOPTIC_BENCH_SETS chooses among the sets by a part of their names; SYNOPTIC_BENCH_VECTORS adds one
 * of real embeddings.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCodes, nativeInfo, openCollection } from '#synoptic/native/addon/index.js'
import {
  type Call,
  type Engine,
  installUSearch,
  type MemoryCall,
  startMemory,
  startPython,
  type USearch,
} from './similarity-baselines.js'
import { makeMatrices, makeQueries, type MatrixSet, realSet } from './similarity-data.js'
import {
  bestOfEach,
  measureInTurns,
  ownRunner,
  type Result,
  type Runner,
  type Variant,
} from './similarity-measure.js'
import { plotRatios } from './similarity-plot.js'
import { describeTargets } from './similarity-targets.js'
import type { Trial } from './trial.js'

export const trial: Trial = {
  words: ['similarity'],
  summary: 'Exact search compared with FAISS, USearch and numpy, with and without codes.',
  run,
}

const folder = fileURLToPath(new URL('../../build-bench', import.meta.url))

const sets: readonly MatrixSet[] = [
  { name: 'embedding-768', columns: 10, rows: 20_000, dimension: 768, kind: 'embedding' },
  { name: 'isotropic-768', columns: 10, rows: 20_000, dimension: 768, kind: 'isotropic' },
  { name: 'embedding-384', columns: 10, rows: 20_000, dimension: 384, kind: 'embedding' },
  { name: 'embedding-1M-384', columns: 1, rows: 1_000_000, dimension: 384, kind: 'embedding' },
]
const batches = [1, 16, 64, 256]

async function run(print: (line: string) => void): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const usearch = installUSearch(folder, print)
  const wanted = process.env.SYNOPTIC_BENCH_SETS ?? ''
  const ratios: { name: string; batch: number; ratio: number }[] = []
  const real = realSet(print)
  const all = real ? [...sets, real] : sets
  for (const set of all.filter(({ name }) => name.includes(wanted))) {
    const bytes = set.columns * set.rows * set.dimension * 4
    print(
      `\n${set.name}: ${set.columns} x ${set.rows} x ${set.dimension}, ${(bytes / 1e6).toFixed(0)} MB`,
    )
    const paths = await makeMatrices(folder, set)
    const variants = await openVariants(set, paths, print)
    const memory = await startMemory(folder, paths, set.rows, set.dimension)
    let python: Engine<Call> | undefined
    try {
      python = await startPython(print, paths)
      const results = await measureSet(set, variants, { memory, python, usearch }, print)
      describeTargets(variants, results).forEach(print)
      for (const [batch, some] of results) {
        const faiss = some.find(({ label }) => label === 'FAISS')
        const fastest = fastestOfOurs(some)
        if (faiss && fastest) ratios.push({ name: set.name, batch, ratio: faiss.ms / fastest.ms })
      }
    } finally {
      memory.stop()
      python?.stop()
      for (const { collection } of variants) collection.close()
    }
  }
  if (ratios.length === 0) return
  const plot = join(folder, 'similarity.svg')
  writeFileSync(plot, plotRatios(ratios, nativeInfo().kernel))
  print(`\nplot: ${plot}`)
}

function fastestOfOurs(results: readonly Result[]): Result | undefined {
  const ours = results.filter(({ label }) => /^q\d/.test(label))
  return ours.toSorted((a, b) => a.ms - b.ms)[0]
}

/** The same matrices without codes and with each kind. */
async function openVariants(
  set: MatrixSet,
  paths: readonly string[],
  print: (line: string) => void,
): Promise<Variant[]> {
  const [first = ''] = paths
  const probe = join(folder, `${set.name}-auto.npy`)
  if (!existsSync(probe)) symlinkSync(first, probe)
  const { bits: chosen } = await buildCodes(probe)
  print(`  the planner chooses ${chosen === 0 ? 'no codes' : `${chosen} bits`}`)
  const variants: Variant[] = []
  for (const bits of [0, 8, 4] as const) {
    const home = join(folder, `${set.name}-${bits || 'none'}`)
    rmSync(home, { recursive: true, force: true })
    mkdirSync(home)
    const columns = paths.map((target, column) => {
      const path = join(home, `${column}.npy`)
      symlinkSync(target, path)
      return { name: String(column), path }
    })
    const buildMbPerS = bits === 0 ? undefined : await buildColumnCodes(columns, bits, set, print)
    variants.push({
      name: bits === 0 ? 'none' : `q${bits}`,
      collection: await openCollection({ columns }),
      isChosen: bits === chosen,
      ...(buildMbPerS !== undefined && { buildMbPerS }),
    })
  }
  return variants
}

async function buildColumnCodes(
  columns: readonly { readonly path: string }[],
  bits: 4 | 8,
  set: MatrixSet,
  print: (line: string) => void,
): Promise<number> {
  const start = performance.now()
  const before = process.cpuUsage()
  let predicted = 0
  for (const { path } of columns)
    predicted += (await buildCodes(path, { bits })).predictedCandidates
  const { user, system } = process.cpuUsage(before)
  const megabytes = (set.columns * set.rows * set.dimension * 4) / 1e6
  const speed = megabytes / ((user + system) / 1e6)
  print(
    `  codes of ${bits} bits: built in ${((performance.now() - start) / 1000).toFixed(1)} s, ` +
      `${speed.toFixed(0)} MB of float32 a second and core; ` +
      `${predicted.toFixed(0)} candidates predicted`,
  )
  return speed
}

interface Baselines {
  readonly memory: Engine<MemoryCall>
  readonly python: Engine<Call> | undefined
  readonly usearch: USearch | undefined
}

async function measureSet(
  set: MatrixSet,
  variants: readonly Variant[],
  { memory, python, usearch }: Baselines,
  print: (line: string) => void,
): Promise<ReadonlyMap<number, readonly Result[]>> {
  const largest = Math.max(...batches)
  const floatBytes = set.columns * set.rows * set.dimension * 4
  const queries = makeQueries(set, largest)
  const queriesFile = join(folder, `${set.name}-queries.f32`)
  writeFileSync(queriesFile, queries)
  const matrix = usearch === undefined ? undefined : readAll(folder, set)
  const ofTen = new Map<number, readonly Result[]>()
  let readMs = NaN
  print(
    '   batch    k  engine        median ms   of reading  of its bytes   ms/query  cpu ms' +
      '  scored/query  mismatches',
  )
  for (const batch of batches) {
    for (const k of [10, 100]) {
      const some = queries.slice(0, batch * set.dimension)
      const runners: Runner[] = variants.map((variant) =>
        ownRunner(variant, variants, some, batch, k),
      )
      if (batch === 1 && k === 10) {
        const calls = ['read', 'copy', 'sgemv'] as const
        runners.unshift(...calls.map((label) => ({ label, run: () => memory.call(label) })))
      }
      if (python) {
        const call = { queries: queriesFile, count: batch, k }
        // Which of FAISS's ways is its best depends on the machine and the batch.
        for (const [threshold, threads] of [
          [20, 0],
          [1, 0],
          [20, 1],
        ] as const) {
          if (threads === 1 && batch > 1) continue
          const engine = {
            engine: 'faiss' as const,
            threshold,
            threads: threads || nativeInfo().threads,
          }
          const run = () => python.call({ ...engine, ...call })
          runners.push({ label: 'FAISS', run, lingers: true })
        }
        if (k === 10) {
          const run = () => python.call({ engine: 'numpy', ...call })
          runners.push({ label: 'numpy', run, lingers: true })
        }
      }
      if (usearch && matrix && k === 10 && batch <= 16) {
        const run = () => Promise.resolve({ ms: usearch(matrix, some, set.dimension), cpuMs: NaN })
        runners.push({ label: 'USearch', run, lingers: true })
      }
      const results = bestOfEach(await measureInTurns(runners))
      if (k === 10) ofTen.set(batch, results)
      readMs = results.find(({ label }) => label === 'read')?.ms ?? readMs
      for (const result of results) {
        print(
          `  ${String(batch).padStart(6)} ${String(k).padStart(4)}  ${result.label.padEnd(12)}` +
            `${result.ms.toFixed(2).padStart(11)} ${(result.ms / readMs).toFixed(3).padStart(12)}` +
            ((result.ms * floatBytes) / (readMs * (result.bytes ?? floatBytes)))
              .toFixed(2)
              .padStart(14) +
            `${(result.ms / batch).toFixed(3).padStart(11)} ${result.cpuMs.toFixed(0).padStart(7)}` +
            (result.details?.() ?? ''),
        )
      }
    }
  }
  return ofTen
}

function readAll(home: string, set: MatrixSet): Float32Array {
  const columnBytes = set.rows * set.dimension * 4
  const all = new Uint8Array(set.columns * columnBytes)
  for (let column = 0; column < set.columns; column++) {
    const file = readFileSync(join(home, `${set.name}-${column}.npy`))
    all.set(file.subarray(file.length - columnBytes), column * columnBytes)
  }
  return new Float32Array(all.buffer)
}
