/**
 * Requests of single texts, as searches ask them, beside the runtime alone: how many texts a second when
 * 64 ask at once, against the best fixed batch of the same texts; and what a worker adds to one short query.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPipeline } from '#synoptic/encoders/pipeline.js'
import { type TokenRow, openSession } from '#synoptic/encoders/session.js'
import { loadTokenizer } from '#synoptic/encoders/tokenizer.js'
import { openWorkerEncoder } from '#synoptic/encoders/worker-encoder.js'
import { sampleTexts } from '#synoptic/models/check-texts.js'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const models = process.env.SYNOPTIC_TEST_MODELS ?? join(project, '../shared/models')
const folder = join(models, 'all-MiniLM-L6-v2')
const threads = availableParallelism()
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 5)

export const trial: Trial = {
  words: ['requests'],
  summary: 'Single texts of 64 clients, and one short query, beside ONNX Runtime alone.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  if (!existsSync(folder)) {
    print(`skipped: no model in ${folder}; set SYNOPTIC_TEST_MODELS`)
    return
  }
  const encoder = await openWorkerEncoder({ model: 'all-MiniLM-L6-v2', folder, threads })
  const runtime = await openRuntime()
  try {
    const texts = sampleTexts.slice(0, 64)
    const rows = await runtime.tokenize(texts)
    const { tokens } = await encoder.encode(texts)
    checkAgreement(tokens, rows)
    const mean = tokens.reduce((sum, count) => sum + count, 0) / tokens.length
    print(
      `all-MiniLM-L6-v2: ${texts.length} texts of ${mean.toFixed(0)} tokens, ${threads} threads`,
    )
    const clients = () => Promise.all(texts.map((text) => encoder.encode([text])))
    const batches = [2, 4, 8, 16]
    // The encoder tries sizes of batches with its first work.
    for (let round = 0; round < 6; round++) await clients()
    const found = await compete(
      new Map<string, () => Promise<unknown>>([
        ['clients', clients],
        ...batches.map((size) => [`${size}`, () => runtime.inBatches(rows, size)] as const),
      ]),
    )
    const ours = found.get('clients') ?? none
    const [best = '', base = none] =
      [...found]
        .filter(([name]) => name !== 'clients')
        .sort(([, a], [, b]) => a.processorMs - b.processorMs)[0] ?? []
    const rate = ({ ms }: Cost) => ((1000 * texts.length) / ms).toFixed(1)
    const ratios = [base.ms / ours.ms, base.processorMs / ours.processorMs]
    const [wall = '', processor = ''] = ratios.map((ratio) => ratio.toFixed(3))
    print(
      `64 at once: ${rate(ours)} texts a second; baseline, the runtime in batches of ${best}: ` +
        `${rate(base)}; ratio ${wall}, of processor time ${processor}`,
    )

    const query = 'a teacher who is a yellow octopus'
    const row = await runtime.tokenize([query])
    const short = await compete(
      new Map<string, () => Promise<unknown>>([
        ['encoder', () => encoder.encode([query])],
        ['runtime', () => runtime.inBatches(row, 1)],
      ]),
      rounds * 20,
    )
    const [own = none, alone = none] = [short.get('encoder'), short.get('runtime')]
    print(
      `one short query: ${own.ms.toFixed(2)} ms; baseline, the runtime alone: ${alone.ms.toFixed(2)} ms; ` +
        `worker, tokenising and pooling add ${(own.ms - alone.ms).toFixed(2)} ms, ` +
        `${(own.processorMs - alone.processorMs).toFixed(2)} ms of processor`,
    )
  } finally {
    await encoder.close()
    await runtime.release()
  }
}

/** ONNX Runtime as the encoder sets it up, without a worker and a queue. */
async function openRuntime() {
  const { tokenizerFolder, maxTokens, modelFile, lowerCase } = await readPipeline(folder)
  const options = { maxTokens, lowerCase, specialTokens: true }
  const tokenizer = await loadTokenizer(tokenizerFolder, options)
  const session = await openSession(modelFile, {
    threads,
    padId: tokenizer.padId,
    output: 'tokens',
  })
  return {
    tokenize: (texts: readonly string[]) => tokenizer.tokenize(texts),
    async inBatches(rows: readonly TokenRow[], size: number): Promise<void> {
      const sorted = rows.toSorted((a, b) => b.ids.length - a.ids.length)
      for (let start = 0; start < sorted.length; start += size) {
        await session.run(sorted.slice(start, start + size))
      }
    },
    release: () => session.release(),
  }
}

function checkAgreement(tokens: Uint32Array, rows: readonly TokenRow[]): void {
  rows.forEach(({ ids }, i) => {
    if (ids.length !== tokens[i])
      throw new Error(`text ${i}: ${ids.length} and ${tokens[i]} tokens`)
  })
}

interface Cost {
  readonly ms: number
  /** Of all threads together: what a busy machine changes least. */
  readonly processorMs: number
}
const none: Cost = { ms: NaN, processorMs: NaN }

/** Medians by name: all take turns, so that a machine that gets slower does so for all. */
async function compete(
  tasks: ReadonlyMap<string, () => Promise<unknown>>,
  times = rounds,
): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost[]>([...tasks.keys()].map((name) => [name, []]))
  for (let round = -1; round < times; round++) {
    for (const [name, task] of tasks) {
      const [begun, before] = [performance.now(), process.cpuUsage()]
      await task()
      const { user, system } = process.cpuUsage(before)
      const cost = { ms: performance.now() - begun, processorMs: (user + system) / 1000 }
      if (round >= 0) costs.get(name)?.push(cost)
    }
  }
  const median = (list: readonly number[]) =>
    list.toSorted((a, b) => a - b)[list.length >> 1] ?? NaN
  return new Map(
    [...costs].map(([name, list]) => [
      name,
      {
        ms: median(list.map(({ ms }) => ms)),
        processorMs: median(list.map(({ processorMs }) => processorMs)),
      },
    ]),
  )
}
