/** The options that ONNX Runtime is started with, each compared with its alternatives, by clock and by processor time. */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { loadTokenizer } from '#synoptic/models/encoders/tokenizer.js'
import { sampleTexts } from '#synoptic/models/tools/check-texts.js'
import { compete, costOf } from './cost.js'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const models = process.env.SYNOPTIC_TEST_MODELS ?? join(project, '../shared/models')
const folder = join(models, 'all-MiniLM-L6-v2')
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 5)
const threads = availableParallelism()

export const trial: Trial = {
  words: ['session'],
  summary: "ONNX Runtime's options compared with those that the encoder uses.",
  run,
}

const spinning = (value: '0' | '1') => ({ intra_op: { allow_spinning: value } })
const optimization = { disable_specified_optimizers: 'SkipLayerNormFusion' }

/** As src/models/encoders/session.ts has them. */
const chosen: InferenceSession.SessionOptions = {
  intraOpNumThreads: threads,
  graphOptimizationLevel: 'all',
  enableMemPattern: false,
  extra: { session: spinning('0'), optimization },
  logSeverityLevel: 3,
}

const alternatives: Readonly<Record<string, InferenceSession.SessionOptions>> = {
  'as they are': {},
  'threads spin': { extra: { session: spinning('1'), optimization } },
  'threads spin while it runs': {
    extra: { session: { ...spinning('1'), force_spinning_stop: '1' }, optimization },
  },
  'smaller shares of work': {
    extra: { session: { ...spinning('0'), dynamic_block_base: '4' }, optimization },
  },
  'one thread': { intraOpNumThreads: 1 },
  'plans of memory': { enableMemPattern: true },
  'no arena': { enableCpuMemArena: false },
  'extended graph': { graphOptimizationLevel: 'extended' },
  'basic graph': { graphOptimizationLevel: 'basic' },
  'sums fused with what follows': { extra: { session: spinning('0') } },
}

async function run(print: (line: string) => void): Promise<void> {
  if (!existsSync(folder)) {
    print(`skipped: no model in ${folder}; set SYNOPTIC_TEST_MODELS`)
    return
  }
  const texts = sampleTexts.slice(0, 16)
  const batches = await makeBatches(texts, 4)
  const sessions = new Map<string, InferenceSession>()
  for (const [name, options] of Object.entries(alternatives)) {
    const file = join(folder, 'onnx', 'model.onnx')
    sessions.set(name, await InferenceSession.create(file, { ...chosen, ...options }))
  }
  const encode = async (session: InferenceSession) => {
    for (const batch of batches) await session.run(batch)
  }
  for (const session of sessions.values()) await encode(session)
  const costs = await compete(
    new Map([...sessions].map(([name, session]) => [name, () => costOf(() => encode(session))])),
    rounds,
  )
  print(`all-MiniLM-L6-v2: ${texts.length} texts in batches of 4, ${threads} threads, ms a text`)
  for (const [name, { ms, processorMs }] of costs) {
    const [clock, processor] = [ms, processorMs].map((cost) => (cost / texts.length).toFixed(1))
    print(`  ${name.padEnd(28)}${clock?.padStart(6)}, of processors ${processor?.padStart(6)}`)
  }
  for (const session of sessions.values()) await session.release()
}

async function makeBatches(texts: readonly string[], size: number) {
  const options = { maxTokens: 256, lowerCase: false, specialTokens: true }
  const tokenizer = await loadTokenizer(folder, options)
  const rows = (await tokenizer.tokenize(texts)).map(({ ids }) => ids)
  rows.sort((a, b) => b.length - a.length)
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => {
    const batch = rows.slice(i * size, (i + 1) * size)
    const width = batch[0]?.length ?? 0
    const tensor = (valueOf: (id: number | undefined) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(
          batch.flatMap((ids) => Array.from({ length: width }, (_, c) => BigInt(valueOf(ids[c])))),
        ),
        [batch.length, width],
      )
    return {
      input_ids: tensor((id) => id ?? tokenizer.padId),
      attention_mask: tensor((id) => Number(id !== undefined)),
      token_type_ids: tensor(() => 0),
    }
  })
}
