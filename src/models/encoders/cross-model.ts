/** A cross-encoder ready to score: pair tokenizer, session and activation. Lives in a worker. */
import { readCrossEncoder } from '../format/cross-encoder-config.js'
import { loadPairTokenizer } from './cross-tokenizer.js'
import type { Model } from './model.js'
import { ModelFileError } from '../format/model-files.js'
import { type TokenRow, openSession } from './session.js'
import { noVocabulary } from './vocabulary.js'

export interface CrossModelOptions {
  readonly threads: number
  /** `cpu` or `cuda:N`. */
  readonly device: string
}

/**
 * A model of dimension one: the vector of a pair is its score, 0 to 1. Throws what ModelFileError, ONNX
 * Runtime and the tokenizer throw.
 */
export async function loadCrossModel(folder: string, options: CrossModelOptions): Promise<Model> {
  const { modelFile, tokenizerFolder, maxTokens, lowerCase } = await readCrossEncoder(folder)
  const tokenizer = await loadPairTokenizer(tokenizerFolder, { maxTokens, lowerCase })
  const session = await openSession(modelFile, {
    ...options,
    padId: tokenizer.padId,
    output: 'pairs',
  })
  const embed = async (batch: readonly TokenRow[]): Promise<Float32Array> => {
    const { data, width } = await session.run(batch)
    if (width !== 1) {
      throw new ModelFileError(`the ONNX model gives ${width} logits a pair; expected one`)
    }
    if (data.some((logit) => Number.isNaN(logit))) throw new Error('a score is not a number')
    return data.map(sigmoid)
  }
  // A graph that does not fit its tokenizer shows here, not at the first search.
  await embed(await tokenizer.tokenize('query', ['text']))

  return {
    dimension: 1,
    maxTokens,
    cosineInBatch: 1,
    vocabulary: noVocabulary,
    batchSizes: [],
    tokenize: (texts, pairs) => tokenizer.tokenize(pairs?.query ?? '', texts),
    embed,
    release: () => session.release(),
  }
}

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))
