/** What similarity.ts compares with: FAISS, numpy, USearch, and what memory gives. None is a dependency. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../../bench', import.meta.url))
const threads = availableParallelism()

export interface MemoryTimes {
  /** Reading all float32 once, copying as many bytes, one float32 product with a vector. */
  readonly readMs: number
  readonly copyMs: number
  readonly sgemvMs: number
}

/** Compiled here: the flags are this machine's. */
export function measureMemory(
  folder: string,
  paths: readonly string[],
  rows: number,
  dimension: number,
): MemoryTimes {
  const program = join(folder, 'memory')
  const source = join(sources, 'kernels', 'memory.cpp')
  const flags = ['-std=c++20', '-O3', '-march=native', '-ffast-math', '-pthread']
  execFileSync(process.env.CXX ?? 'c++', [...flags, source, '-o', program])
  const args = [threads, rows, dimension, 21].map(String)
  return JSON.parse(execFileSync(program, [...args, ...paths], { encoding: 'utf8' })) as MemoryTimes
}

export interface Call {
  readonly engine: 'faiss' | 'numpy'
  /** FAISS: batches of at least as many queries go through BLAS. */
  readonly threshold?: number
  readonly threads?: number
  /** A file of float32. */
  readonly queries: string
  readonly count: number
  readonly k: number
}

export interface PythonBaseline {
  call(call: Call): Promise<{ readonly ms: number; readonly cpuMs: number }>
  stop(): void
}

export async function startPython(
  print: (line: string) => void,
  paths: readonly string[],
): Promise<PythonBaseline | undefined> {
  const python = process.env.SYNOPTIC_BENCH_PYTHON
  if (python === undefined) {
    print('  no FAISS: set SYNOPTIC_BENCH_PYTHON to a Python with faiss-cpu and numpy')
    return undefined
  }
  const child = spawn(python, [join(sources, 'similarity_baseline.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (message: unknown): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    const line = await lines.next()
    if (line.done === true) throw new Error('the baseline ended')
    return JSON.parse(line.value) as Record<string, unknown>
  }
  const { faiss, options } = await ask(paths)
  print(`  FAISS ${String(faiss)} (${String(options)})`)
  return {
    call: async (call) => (await ask(call)) as unknown as { ms: number; cpuMs: number },
    stop: () => child.stdin.end(),
  }
}

/** Exact search of a matrix held in JavaScript; milliseconds of one call. */
export type USearch = (matrix: Float32Array, queries: Float32Array, dimension: number) => number

/** Installed aside, because only this trial uses it. */
export function installUSearch(folder: string, print: (line: string) => void): USearch | undefined {
  const home = join(folder, 'usearch')
  try {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), '{}')
    execFileSync('npm', ['install', '--silent', 'usearch@2.25.3'], { cwd: home, stdio: 'pipe' })
    const { exactSearch, MetricKind } = createRequire(join(home, 'package.json'))('usearch') as {
      exactSearch: (...args: unknown[]) => unknown
      MetricKind: { IP: unknown }
    }
    return (matrix, queries, dimension) => {
      const start = performance.now()
      exactSearch(matrix, queries, dimension, 10, MetricKind.IP, threads)
      return performance.now() - start
    }
  } catch (error) {
    print(`  no USearch: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`)
    return undefined
  }
}
