/** A model ready to encode: tokenizer, session and the steps behind it. Lives in a worker. */
import { type Pipeline, readPipeline } from '../format/pipeline.js'
import { ModelFileError } from '../format/model-files.js'
import { isFiniteVector, isZeroVector } from '../format/finite.js'
import { pool } from '../format/pooling.js'
import { cosineInBatch, dependsOnBatch } from './batch-check.js'
import { batchSizes } from './batch-sizes.js'
import type { PairRequest } from './protocol.js'
import { type SessionOutput, type TokenRow, openSession } from './session.js'
import { type Stages, loadStages } from '../format/stages.js'
import { type TokenizedText, loadTokenizer } from './tokenizer.js'
import type { Vocabulary } from './vocabulary.js'

export interface Model {
  readonly dimension: number
  readonly maxTokens: number
  /** Least cosine of a text's vector alone and among others; 1 of a cross-encoder. */
  readonly cosineInBatch: number
  readonly vocabulary: Vocabulary
  /** Padded tokens of a batch to choose among. */
  readonly batchSizes: readonly number[]
  /** @param pairs the query with which a cross-encoder reads each text */
  tokenize(texts: readonly string[], pairs?: PairRequest): Promise<TokenizedText[]>
  /** Returns texts x dimension. @param batch tokens of each text, none empty */
  embed(batch: readonly TokenRow[]): Promise<Float32Array>
  release(): Promise<void>
}

export interface LoadOptions {
  readonly threads: number
  /** `cpu` or `cuda:N` */
  readonly device: string
  /** Whether it reads texts in batches even if a vector then depends on the other texts. */
  readonly batches?: boolean | undefined
}

/** Throws what ModelFileError, ONNX Runtime and the tokenizer throw. */
export async function loadModel(folder: string, options: LoadOptions): Promise<Model> {
  const { threads, device, batches = false } = options
  const pipeline = await readPipeline(folder)
  const tokenizer = await loadTokenizer(pipeline.tokenizerFolder, {
    maxTokens: pipeline.maxTokens,
    specialTokens: pipeline.kind === 'transformer',
    lowerCase: pipeline.lowerCase,
  })
  const stages = await loadStages(pipeline.stages)
  const session = await openSession(pipeline.modelFile, {
    threads: pipeline.kind === 'transformer' ? threads : 1,
    padId: tokenizer.padId,
    output: pipeline.kind === 'transformer' ? 'tokens' : 'texts',
    device,
  })
  const run = async (rows: readonly TokenRow[]) =>
    finish(pipeline, stages, await session.run(rows), rows)
  const embed = pipeline.kind === 'static' ? embedByLength(run) : run

  const tokenize = (texts: readonly string[]) =>
    tokenizer.tokenize(texts.map((text) => pipeline.prompt + text))
  const [probe = { ids: [] }] = await tokenize([probeText])
  // A vocabulary without any of the words still has a token that pads.
  const hasTokens = probe.ids.length > 0
  const vector = await embed([hasTokens ? probe : { ids: [tokenizer.padId] }])
  requireSound(vector, hasTokens)
  const together = await cosineInBatch({ tokenize, embed })
  const readsOneText = dependsOnBatch(together) && !batches

  return {
    dimension: vector.length,
    maxTokens: pipeline.maxTokens,
    vocabulary: tokenizer.vocabulary,
    cosineInBatch: together,
    batchSizes: readsOneText ? oneText : sizesFor(pipeline.kind, options),
    tokenize,
    embed,
    release: () => session.release(),
  }
}

/** A batch has at least one text, whatever its size. */
const oneText = [1]

function sizesFor(kind: Pipeline['kind'], { threads, device }: LoadOptions): readonly number[] {
  if (device !== 'cpu') return batchSizes[kind].cuda
  const { cpu } = batchSizes[kind]
  return kind === 'static' ? cpu : cpu.filter((size) => size <= 512 * threads)
}

/**
 * ONNX Runtime adds up the tokens of a text in another order when it is padded, and when it is alone. So only texts
 * with equally many tokens are read together, and one text is read twice.
 */
const embedByLength =
  (run: (rows: readonly TokenRow[]) => Promise<Float32Array>) =>
  async (batch: readonly TokenRow[]): Promise<Float32Array> => {
    const places = new Map<number, number[]>()
    for (const [place, { ids }] of batch.entries()) {
      const equal = places.get(ids.length)
      if (equal === undefined) places.set(ids.length, [place])
      else equal.push(place)
    }
    let vectors = new Float32Array(0)
    for (const equal of places.values()) {
      const rows = equal.flatMap((place) => batch[place] ?? [])
      const found = await run(rows.length === 1 ? [...rows, ...rows] : rows)
      const dimension = found.length / Math.max(2, rows.length)
      if (vectors.length === 0) vectors = new Float32Array(batch.length * dimension)
      for (const [i, place] of equal.entries()) {
        vectors.set(found.subarray(i * dimension, (i + 1) * dimension), place * dimension)
      }
    }
    return vectors
  }

/** Any words: a sound model of any language gives them a vector, however few tokens it reads. */
const probeText = 'a teacher'

function requireSound(vector: Float32Array, hasTokens: boolean): void {
  const expected = 'expected numbers for a text, the model gives'
  if (!isFiniteVector(vector)) throw new ModelFileError(`${expected} NaN or infinity`)
  if (hasTokens && isZeroVector(vector)) throw new ModelFileError(`${expected} zeros alone`)
}

function finish(
  pipeline: Pipeline,
  stages: Stages,
  output: SessionOutput,
  batch: readonly TokenRow[],
): Float32Array {
  let vectors = output.data
  let dimension = output.width
  if (output.rowTokens !== undefined) {
    const { rowTokens, width } = output
    const { tokenWidth = width } = pipeline
    if (tokenWidth !== width) {
      throw new ModelFileError(
        `pooling expects ${tokenWidth} numbers a token, the model has ${width}`,
      )
    }
    dimension = width * pipeline.pooling.length
    vectors = new Float32Array(batch.length * dimension)
    batch.forEach(({ ids }, row) => {
      pipeline.pooling.forEach((mode, position) => {
        const start = row * rowTokens * width
        const offset = row * dimension + position * width
        pool(mode, output.data, start, ids.length, width, vectors, offset)
      })
    })
  }
  return stages.apply(vectors, dimension)
}
