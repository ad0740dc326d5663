/**
 * Texts to vectors: all-MiniLM-L6-v2 beside sentence-transformers on PyTorch, in turns within one
 * run; and how many single texts a second the built-in model serves.
 */
import { spawn } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse'
import type { Encoder } from '#synoptic/encoders/encoder.js'
import { type Encoders, createEncoders } from '#synoptic/encoders/encoders.js'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const models = process.env.SYNOPTIC_TEST_MODELS ?? join(project, '../shared/models')
const data = process.env.SYNOPTIC_TEST_DATA ?? join(project, '../shared/data')
const name = 'encoders/all-MiniLM-L6-v2'

export const trial: Trial = {
  words: ['encode', 'encoder'],
  summary: 'Encoding beside sentence-transformers; single texts a second with the built-in model.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  mkdirSync(join(folder, 'encoders'))
  symlinkSync(join(models, 'all-MiniLM-L6-v2'), join(folder, name))
  const encoders = createEncoders({ modelsDir: folder })
  try {
    await timeSingles(print, encoders)
    const file = join(data, 'Anime_data.csv')
    if (!existsSync(join(folder, name)) || !existsSync(file)) {
      print(`all-MiniLM-L6-v2: skipped, expected it in ${models} and ${file}`)
    } else await timeSynopses(print, encoders, await readSynopses(file, 300))
  } finally {
    await encoders.close()
    rmSync(folder, { recursive: true })
  }
}

async function timeSingles(print: (line: string) => void, encoders: Encoders): Promise<void> {
  const started = performance.now()
  const encoder = await encoders.get('builtin/static-en')
  print(`builtin/static-en: loaded in ${(performance.now() - started).toFixed(0)} ms`)
  const text = 'a school class has to kill its teacher, a yellow octopus, before graduation'
  for (const clients of [1, 8, 32]) {
    await serve(encoder, text, clients, 500)
    const before = process.cpuUsage()
    const { requests, elapsedMs, waits } = await serve(encoder, text, clients, 8000)
    const { user, system } = process.cpuUsage(before)
    const [median = 0, late = 0] = [0.5, 0.99].map((share) => quantile(waits, share))
    print(
      `  ${clients} at a time: ${((requests / elapsedMs) * 1000).toFixed(0)} a second, ` +
        `${median.toFixed(2)} ms (99%: ${late.toFixed(2)}), ` +
        `${((user + system) / requests).toFixed(0)} us of processor each`,
    )
  }
}

async function serve(encoder: Encoder, text: string, clients: number, requests: number) {
  const waits: number[] = []
  const start = performance.now()
  let left = requests
  const client = async () => {
    while (left-- > 0) {
      const asked = performance.now()
      await encoder.encode([text])
      waits.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { requests, elapsedMs: performance.now() - start, waits }
}

async function timeSynopses(
  print: (line: string) => void,
  encoders: Encoders,
  texts: readonly string[],
): Promise<void> {
  const encoder = await encoders.get(name)
  const { tokens } = await encoder.encode(texts)
  const mean = tokens.reduce((sum, count) => sum + count, 0) / texts.length
  print(`${name}: ${texts.length} synopses of ${mean.toFixed(0)} tokens on average`)
  const baseline = await startBaseline(print)
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let round = 0; round < 3; round += 1) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    const { vectors } = await encoder.encode(texts, { priority: 'bulk' })
    const { user, system } = process.cpuUsage(before)
    ours.push({ ms: performance.now() - start, cpuMs: (user + system) / 1000 })
    if (baseline === undefined) continue
    const answer = await baseline.encode(texts)
    theirs.push(answer)
    const dot = answer.vector.reduce((sum, value, i) => sum + value * (vectors[i] ?? NaN), 0)
    if (!(dot > 0.9999)) throw new Error(`the vectors differ: cosine ${dot}`)
  }
  baseline?.stop()
  const summary = summarize(ours, texts.length)
  print(`  ours ${describe(summary)}`)
  if (theirs.length === 0) return
  const other = summarize(theirs, texts.length)
  const ratios = [summary.rate / other.rate, other.cpuMs / summary.cpuMs]
  const [wall, processor] = ratios.map((ratio) => ratio.toFixed(2))
  print(`  baseline ${describe(other)}; ratio ${wall}, of processor time ${processor}`)
}

interface Cost {
  readonly ms: number
  /** Of all processors together: what a busy machine changes least. */
  readonly cpuMs: number
}

const summarize = (costs: readonly Cost[], texts: number) => ({
  rate:
    (texts /
      quantile(
        costs.map(({ ms }) => ms),
        0.5,
      )) *
    1000,
  cpuMs:
    quantile(
      costs.map(({ cpuMs }) => cpuMs),
      0.5,
    ) / texts,
})

const describe = ({ rate, cpuMs }: ReturnType<typeof summarize>) =>
  `${rate.toFixed(1)} texts a second, ${cpuMs.toFixed(1)} ms of processor each`

/** Python with sentence-transformers, and its model with PyTorch's weights. */
async function startBaseline(print: (line: string) => void) {
  const python = process.env.SYNOPTIC_BENCH_PYTHON
  const model = process.env.SYNOPTIC_BENCH_TORCH_MODEL
  if (python === undefined || model === undefined) {
    print(
      '  no baseline: set SYNOPTIC_BENCH_PYTHON to a Python with sentence-transformers, and ' +
        'SYNOPTIC_BENCH_TORCH_MODEL to its all-MiniLM-L6-v2',
    )
    return undefined
  }
  const script = join(project, 'bench', 'encode_baseline.py')
  const child = spawn(python, [script, model, `${availableParallelism()}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const line = await lines.next()
    if (line.done === true) throw new Error('the baseline ended')
    return JSON.parse(line.value) as Record<string, unknown>
  }
  const { torch, dtype } = await read()
  print(`  baseline: sentence-transformers, PyTorch ${String(torch)}, ${String(dtype)}`)
  return {
    async encode(texts: readonly string[]) {
      child.stdin.write(`${JSON.stringify(texts)}\n`)
      return (await read()) as unknown as Cost & { readonly vector: readonly number[] }
    },
    stop: () => child.stdin.end(),
  }
}

async function readSynopses(file: string, count: number): Promise<string[]> {
  const texts: string[] = []
  const records = createReadStream(file).pipe(parse({ columns: true, relax_column_count: true }))
  for await (const record of records as AsyncIterable<{ Description?: string }>) {
    const text = record.Description?.trim() ?? ''
    if (text.length > 100) texts.push(text)
    if (texts.length === count) break
  }
  return texts
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
