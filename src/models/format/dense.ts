/** The Dense module of sentence-transformers: a linear map of a text's vector, and an activation. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { activationNames, findActivation } from './activations.js'
import { ModelFileError, readJson } from './model-files.js'
import { readCheckpoint } from './weights/checkpoint.js'
import { readSafetensors } from './weights/safetensors.js'
import type { WeightTensor } from './weights/tensor-data.js'

export interface Dense {
  readonly inputs: number
  readonly outputs: number
  /** @param vectors texts x inputs. Answers texts x outputs. */
  apply(vectors: Float32Array): Float32Array
}

/** Throws a ModelFileError. */
export async function readDense(folder: string): Promise<Dense> {
  const config = await readJson(join(folder, 'config.json'), denseFile)
  const { in_features: inputs, out_features: outputs } = config
  const slots = [config.module_input_name, config.module_output_name].filter((name) => name)
  const elsewhere = slots.find((name) => name !== 'sentence_embedding')
  if (elsewhere) throw new ModelFileError(`Dense of ${elsewhere}; expected sentence_embedding`)
  const activation = findActivation(config.activation_function)
  if (activation === undefined) {
    throw new ModelFileError(
      `Dense with ${config.activation_function}; expected torch.nn.modules.activation of ` +
        activationNames.join(', '),
    )
  }
  const weights = await readWeights(folder)
  const matrix = (name: string) => pick(weights, name, [outputs, inputs])
  const weight = matrix('linear.weight')
  const bias = config.bias ? pick(weights, 'linear.bias', [outputs]) : new Float32Array(outputs)
  const projection =
    config.use_residual && inputs !== outputs ? matrix('residual.weight') : undefined

  return {
    inputs,
    outputs,
    apply(vectors) {
      const texts = vectors.length / inputs
      const result = new Float32Array(texts * outputs)
      for (let text = 0; text < texts; text++) {
        const vector = vectors.subarray(text * inputs, (text + 1) * inputs)
        for (let row = 0; row < outputs; row++) {
          const value = activation((bias[row] ?? 0) + dot(weight, row, vector))
          const residual = projection === undefined ? vector[row] : dot(projection, row, vector)
          result[text * outputs + row] = value + (config.use_residual ? (residual ?? 0) : 0)
        }
      }
      return result
    },
  }
}

const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const denseFile = v.object({
  in_features: count,
  out_features: count,
  bias: v.optional(v.boolean(), true),
  activation_function: v.optional(v.string(), 'torch.nn.modules.activation.Tanh'),
  module_input_name: v.nullish(v.string()),
  module_output_name: v.nullish(v.string()),
  use_residual: v.optional(v.boolean(), false),
})

async function readWeights(folder: string): Promise<Map<string, WeightTensor>> {
  const safe = join(folder, 'model.safetensors')
  if (existsSync(safe)) return readSafetensors(safe)
  const checkpoint = join(folder, 'pytorch_model.bin')
  if (existsSync(checkpoint)) return readCheckpoint(checkpoint)
  throw new ModelFileError('Dense without model.safetensors or pytorch_model.bin')
}

function pick(
  weights: ReadonlyMap<string, WeightTensor>,
  name: string,
  shape: readonly number[],
): Float32Array {
  const tensor = weights.get(name)
  if (tensor?.shape.join() === shape.join()) return tensor.data
  const found =
    tensor === undefined ? [...weights.keys()].join(', ') : `[${tensor.shape.join(', ')}]`
  throw new ModelFileError(`Dense: expected ${name} of [${shape.join(', ')}], found ${found}`)
}

/** In float64, rounded once by who stores it. */
function dot(matrix: Float32Array, row: number, vector: Float32Array): number {
  const start = row * vector.length
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += (matrix[start + i] ?? 0) * (vector[i] ?? 0)
  return sum
}
