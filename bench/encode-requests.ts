/**
 * Requests of single texts, as searches send them, compared with the runtime alone: how many texts a second when
 * 64 clients send them at once, against the best fixed batch of the same texts; and what a worker adds to one short query.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPipeline } from '#synoptic/models/format/pipeline.js'
import { type TokenRow, openSession } from '#synoptic/models/encoders/session.js'
import { loadTokenizer } from '#synoptic/models/encoders/tokenizer.js'
import { openWorkerEncoder } from '#synoptic/models/encoders/worker-encoder.js'
import { sampleTexts } from '#synoptic/models/tools/check-texts.js'
import { type Cost, compete, costOf, noCost } from './cost.js'
import { describeTarget } from './target.js'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const models = process.env.SYNOPTIC_TEST_MODELS ?? join(project, '../shared/models')
const folder = join(models, 'all-MiniLM-L6-v2')
const threads = availableParallelism()
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 5)

export const trial: Trial = {
  words: ['requests', 'encode'],
  summary: 'Single texts of 64 clients, and one short query, compared with ONNX Runtime alone.',
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
      new Map([
        ['clients', () => costOf(clients)],
        ...batches.map(
          (size) => [`${size}`, () => costOf(() => runtime.inBatches(rows, size))] as const,
        ),
      ]),
      rounds,
    )
    const { clients: ours = noCost, ...others } = Object.fromEntries(found)
    const [best = '', base = noCost] =
      Object.entries(others).sort(([, a], [, b]) => a.ms - b.ms)[0] ?? []
    const rate = ({ ms }: Cost) => `${((1000 * texts.length) / ms).toFixed(1)} texts a second`
    print(`  64 at once: ${rate(ours)}; the runtime in batches of ${best}: ${rate(base)}`)

    const query = 'a teacher who is a yellow octopus'
    const row = await runtime.tokenize([query])
    const short = await compete(
      new Map([
        ['encoder', () => costOf(() => encoder.encode([query]))],
        ['runtime', () => costOf(() => runtime.inBatches(row, 1))],
      ]),
      rounds * 20,
    )
    const [own = noCost, alone = noCost] = [short.get('encoder'), short.get('runtime')]
    print(
      `  one short query: ${own.ms.toFixed(2)} ms; the runtime alone: ${alone.ms.toFixed(2)} ms`,
    )
    const share = (key: keyof Cost) => base[key] / ours[key]
    const added = (key: keyof Cost) => own[key] - alone[key]
    const lines = [
      ['64 at once / the best fixed batch', share, 'at least', 0.9],
      ['one short query, ms above the runtime', added, 'at most', 1],
    ] as const
    for (const [what, value, bound, target] of lines) {
      print(describeTarget(what, value('ms'), bound, target))
      print(describeTarget('  of processor time', value('processorMs'), bound, target))
    }
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
