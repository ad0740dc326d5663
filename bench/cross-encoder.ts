/**
 * Pairs to scores: a cross-encoder of the shape of MiniLM-L6 with random weights, compared with
 * sentence-transformers on PyTorch, in turns within one run.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type CrossEncoder, openCrossEncoder } from '#synoptic/models/encoders/cross-encoder.js'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const threads = availableParallelism()

export const trial: Trial = {
  words: ['cross-encoder', 'rerank'],
  summary: 'Scoring pairs, compared with sentence-transformers.',
  run,
}

/** What /search scores by default; every pair has 128 tokens. */
const candidates = 100
const batchSize = 32
const query = 'a teacher who is a yellow octopus'
const textWords = 118

async function run(print: (line: string) => void): Promise<void> {
  const python = process.env.SYNOPTIC_BENCH_PYTHON
  if (python === undefined) {
    const requirements = 'tools/tiny-models/requirements.txt'
    print(`  skipped: set SYNOPTIC_BENCH_PYTHON to a Python with what ${requirements} lists`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  try {
    const build = join(project, 'tools', 'tiny-models', 'build.py')
    execFileSync(python, [build, '--bench', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
    const encoder = await openCrossEncoder({ model: 'MiniLM-L6', folder, threads, device: 'cpu' })
    const baseline = await startBaseline(python, folder)
    print(`  baseline: sentence-transformers on PyTorch ${baseline.torch}, ${threads} threads each`)
    await compare(print, encoder, baseline)
    baseline.stop()
    await encoder.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Cost {
  readonly ms: number
  /** Of all processors together: what a busy machine changes least. */
  readonly cpuMs: number
}

async function compare(
  print: (line: string) => void,
  encoder: CrossEncoder,
  baseline: Awaited<ReturnType<typeof startBaseline>>,
): Promise<void> {
  const texts = inventTexts()
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let round = 0; round < 7; round += 1) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    const { scores } = await encoder.score(query, texts, { batchSize })
    const { user, system } = process.cpuUsage(before)
    const cost = { ms: performance.now() - start, cpuMs: (user + system) / 1000 }
    const answer = await baseline.score(texts)
    const differences = answer.scores.map((score, i) => Math.abs(score - (scores[i] ?? NaN)))
    const difference = Math.max(...differences)
    if (!(difference <= 1e-5)) throw new Error(`the scores differ by ${difference}`)
    // The first round fills caches.
    if (round === 0) continue
    ours.push(cost)
    theirs.push(answer)
  }
  print(`  ours     ${describe(ours)}`)
  print(`  baseline ${describe(theirs)}`)
  const ratioOf = (key: keyof Cost) => (medianOf(theirs, key) / medianOf(ours, key)).toFixed(2)
  print(`  ratio ${ratioOf('ms')}, at least 1 is wanted; of processor time ${ratioOf('cpuMs')}`)
}

const describe = (costs: readonly Cost[]) =>
  `${((candidates / medianOf(costs, 'ms')) * 1000).toFixed(1)} pairs a second, ` +
  `${(medianOf(costs, 'cpuMs') / candidates).toFixed(1)} ms of processor each`

function medianOf(costs: readonly Cost[], key: keyof Cost): number {
  const sorted = costs.map((cost) => cost[key]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

/** Of words that the model's tokenizer takes for one token each. */
function inventTexts(): string[] {
  const words = ['teacher', 'octopus', 'students', 'stone', 'notebook', 'giants', 'cook', 'girls']
  return Array.from({ length: candidates }, (_, text) =>
    Array.from({ length: textWords }, (_, i) => words[(text * 7 + i * i + i) % words.length]).join(
      ' ',
    ),
  )
}

async function startBaseline(python: string, folder: string) {
  const script = join(project, 'bench', 'cross_encoder_baseline.py')
  const child = spawn(python, [script, folder, `${threads}`], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const line = await lines.next()
    if (line.done === true) throw new Error('the baseline ended')
    return JSON.parse(line.value) as Record<string, unknown>
  }
  const { torch } = await read()
  return {
    torch: String(torch),
    async score(texts: readonly string[]) {
      child.stdin.write(`${JSON.stringify([query, texts, batchSize])}\n`)
      return (await read()) as unknown as Cost & { readonly scores: readonly number[] }
    },
    stop: () => child.stdin.end(),
  }
}
