/** Tries an installed model: that it loads, how large and fast it is, and whether its vectors are right. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { openVectorFile } from '../../base/util/vector-file.js'
import { openCrossEncoder } from '../encoders/cross-encoder.js'
import { cosine } from '../../base/util/cosine.js'
import type { Encoder } from '../encoders/encoder.js'
import { isZeroVector } from '../format/finite.js'
import { readJsonIfThere } from '../format/model-files.js'
import { dependsOnBatch } from '../encoders/batch-check.js'
import { type WorkerEncoder, openWorkerEncoder } from '../encoders/worker-encoder.js'
import { type FetchedFile, fetchedBefore } from './hub/fetch-file.js'
import { ModelLoadError, ModelNotInstalledError } from '../../base/errors/index.js'
import { sampleTexts } from './check-texts.js'
import { findModel } from './install.js'
import { sourceName } from './pull.js'

export interface ModelCheck {
  readonly name: string
  readonly device: string
  /** Undefined of cross-encoders. */
  readonly dimension: number | undefined
  readonly maxTokens: number
  /** Where it was fetched from; undefined of folders that were added. */
  readonly source: ModelSource | undefined
  /** Its files that are not what was fetched. */
  readonly changedFiles: readonly string[]
  readonly loadMs: number
  /** What the process grew by. */
  readonly memoryBytes: number
  /** Of texts, or of pairs, of some 100 words, many at once. */
  readonly textsPerSecond: number
  /** Of one short text, or pair, alone; the median. */
  readonly shortMs: number
  /** Least cosine of a text's vector alone and among others; undefined where they are the same. */
  readonly cosineInBatch: number | undefined
  /** Whether it reads texts in batches all the same. */
  readonly batches: boolean
  /** Undefined if the model's folder has no reference. */
  readonly reference: ReferenceCheck | undefined
}

interface ReferenceCheck {
  readonly texts: number
  /** Of the text that is furthest from its reference. */
  readonly minCosine: number
  /** Whether all are as near as float32 allows; other types of numbers promise nothing. */
  readonly isMet: boolean
}

/** Rejects with UnknownModelError, ModelNotInstalledError, ModelLoadError or EncoderError. */
export async function checkModel(modelName: string, modelsDir: string): Promise<ModelCheck> {
  const {
    name,
    folder,
    installed,
    kind,
    repository,
    batches = false,
  } = findModel(modelName, { modelsDir })
  if (!installed) throw new ModelNotInstalledError(name, repository)
  const source = await readJsonIfThere(join(folder, sourceName), sourceFile)
  const changedFiles = await findChanged(folder, source?.files ?? [])
  const before = process.memoryUsage.rss()
  const begun = performance.now()
  const threads = availableParallelism()
  const runner =
    kind === 'cross-encoder'
      ? await openPairs(name, folder, threads)
      : openTexts(await openWorkerEncoder({ model: name, folder, threads, batches }))
  try {
    const loadMs = performance.now() - begun
    const shortMs = await median(9, () => runner.run(sampleTexts.slice(0, 1), true))
    const textsPerSecond =
      (1000 * sampleTexts.length) / (await median(3, () => runner.run(sampleTexts, false)))
    const isExact = source === undefined || source.dtype === 'fp32'
    if (runner.encoder !== undefined) await requireVectors(runner.encoder)
    const reference = runner.encoder && (await compare(runner.encoder, folder, isExact))
    // Less than before, where a model is small and garbage was given back.
    const memoryBytes = Math.max(0, process.memoryUsage.rss() - before)
    const { device, dimension, maxTokens, cosineInBatch } = runner
    const texts = { dimension, maxTokens, cosineInBatch, batches }
    const facts = { name, device, ...texts, source, changedFiles, reference }
    return { ...facts, loadMs, memoryBytes, textsPerSecond, shortMs }
  } finally {
    await runner.close()
  }
}

const fetchedFile = v.object({
  path: v.string(),
  bytes: v.number(),
  digest: v.object({ kind: v.picklist(['sha256', 'git']), value: v.string() }),
})
const sourceFile = v.object({
  repository: v.string(),
  commit: v.string(),
  dtype: v.string(),
  /** None of a network that was made from what was fetched. */
  files: v.optional(v.array(fetchedFile), []),
})
type ModelSource = v.InferOutput<typeof sourceFile>

async function findChanged(folder: string, files: readonly FetchedFile[]): Promise<string[]> {
  const found = await Promise.all(
    files.map(async (file) => await fetchedBefore(file, join(folder, file.path))),
  )
  return files.filter((_, i) => found[i] === undefined).map(({ path }) => path)
}

/** Rejects with a ModelLoadError where some texts have a vector of zeros alone, or an EncoderError. */
async function requireVectors(encoder: Encoder): Promise<void> {
  const { model, dimension } = encoder
  const { vectors } = await encoder.encode(sampleTexts, { priority: 'bulk' })
  const zeros = sampleTexts.filter((_, text) =>
    isZeroVector(vectors.subarray(text * dimension, (text + 1) * dimension)),
  )
  if (zeros.length === 0) return
  const found = `${zeros.length} of ${sampleTexts.length} texts have zeros alone`
  throw new ModelLoadError(model, `expected a vector of each text, ${found}`)
}

/** What both kinds of models have in common. */
interface Runner {
  readonly device: string
  readonly dimension: number | undefined
  readonly maxTokens: number
  readonly cosineInBatch: number | undefined
  readonly encoder?: Encoder
  run(texts: readonly string[], isShort: boolean): Promise<unknown>
  close(): Promise<void>
}

const shortText = 'a teacher who is a yellow octopus'

function openTexts(encoder: WorkerEncoder): Runner {
  const { device, dimension, maxTokens } = encoder
  const cosineInBatch = dependsOnBatch(encoder.cosineInBatch) ? encoder.cosineInBatch : undefined
  const run: Runner['run'] = (texts, isShort) =>
    isShort ? encoder.encode([shortText]) : encoder.encode(texts, { priority: 'bulk' })
  return { device, dimension, maxTokens, cosineInBatch, encoder, run, close: () => encoder.close() }
}

async function openPairs(model: string, folder: string, threads: number): Promise<Runner> {
  const encoder = await openCrossEncoder({ model, folder, threads, device: 'cpu' })
  const { device, maxTokens } = encoder
  const run: Runner['run'] = (texts, isShort) =>
    encoder.score(shortText, isShort ? [shortText] : texts, { batchSize: 32 })
  const none = { dimension: undefined, cosineInBatch: undefined }
  return { device, ...none, maxTokens, run, close: () => encoder.close() }
}

async function median(rounds: number, task: () => Promise<unknown>): Promise<number> {
  await task()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    await task()
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)[rounds >> 1] ?? NaN
}

/** What float32 sums in another order differ by stays well below. */
const minCosineOfFloat32 = 0.99999

/** The model's folder may hold texts with their vectors by the software that made the model. */
async function compare(
  encoder: Encoder,
  folder: string,
  isExact: boolean,
): Promise<ReferenceCheck | undefined> {
  const texts = await readJsonIfThere(join(folder, 'reference_texts.json'), v.array(v.string()))
  if (texts === undefined) return undefined
  const { dimension } = encoder
  const { vectors } = await encoder.encode(texts, { priority: 'bulk' })
  const file = openVectorFile(join(folder, 'reference_vectors.npy'), dimension)
  try {
    const expected = new Float32Array(dimension)
    const cosines = texts.map((_, row) => {
      file.read(row, expected, 0)
      return cosine(vectors.subarray(row * dimension, (row + 1) * dimension), expected)
    })
    const minCosine = Math.min(...cosines)
    const isMet = !isExact || minCosine >= minCosineOfFloat32
    return { texts: texts.length, minCosine, isMet }
  } finally {
    file.close()
  }
}
