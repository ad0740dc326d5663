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

interface Cost {
  readonly ms: number
  readonly cpuMs: number
}

/** Another program that does what a line says and answers with a line. */
export interface Engine<Message> {
  /** What it says of itself, in its first line. */
  readonly greeting: Readonly<Record<string, unknown>>
  call(message: Message): Promise<Cost>
  stop(): void
}

/** Reading all float32 once, copying as many bytes, one float32 product with a vector. */
export type MemoryCall = 'read' | 'copy' | 'sgemv'

/** Compiled here: the flags are this machine's. */
export function startMemory(
  folder: string,
  paths: readonly string[],
  rows: number,
  dimension: number,
): Promise<Engine<MemoryCall>> {
  const program = join(folder, 'memory')
  const source = join(sources, 'kernels', 'memory.cpp')
  const flags = ['-std=c++20', '-O3', '-march=native', '-ffast-math', '-pthread']
  execFileSync(process.env.CXX ?? 'c++', [...flags, source, '-o', program])
  const words = [...[threads, rows, dimension].map(String), ...paths]
  return startEngine<MemoryCall>(program, words, String)
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

export async function startPython(
  print: (line: string) => void,
  paths: readonly string[],
): Promise<Engine<Call> | undefined> {
  const python = process.env.SYNOPTIC_BENCH_PYTHON
  if (python === undefined) {
    print('  no FAISS: set SYNOPTIC_BENCH_PYTHON to a Python with faiss-cpu and numpy')
    return undefined
  }
  const script = join(sources, 'similarity_baseline.py')
  const engine = await startEngine<Call>(python, [script, ...paths], JSON.stringify)
  print(`  FAISS ${String(engine.greeting.faiss)} (${String(engine.greeting.options)})`)
  return engine
}

async function startEngine<Message>(
  program: string,
  words: readonly string[],
  toLine: (message: Message) => string,
): Promise<Engine<Message>> {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const line = await lines.next()
    if (line.done === true) throw new Error(`${program} ended`)
    return JSON.parse(line.value) as unknown
  }
  return {
    greeting: (await next()) as Record<string, unknown>,
    call: (message) => {
      child.stdin.write(`${toLine(message)}\n`)
      return next() as Promise<Cost>
    },
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
