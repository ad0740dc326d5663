/** One ONNX Runtime session: batches of token ids in, rows of floats out. */
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { ModelFileError } from '../format/model-files.js'
import { loadCudaLibraries } from './cuda-libraries.js'
import { requireNative } from '../../base/util/native-packages.js'

const runtime = requireNative('onnxruntime-node') as typeof import('onnxruntime-node')

export interface SessionOutput {
  readonly data: Float32Array
  /** Tokens a row, for a vector a token; absent for a vector a text. */
  readonly rowTokens?: number
  readonly width: number
}

/** One text, or a pair of texts, as the model reads it. */
export interface TokenRow {
  readonly ids: readonly number[]
  /** Which part of a pair each token belongs to; all belong to the first where absent. */
  readonly types?: readonly number[] | undefined
}

export interface TextSession {
  run(batch: readonly TokenRow[]): Promise<SessionOutput>
  release(): Promise<void>
}

export interface SessionOptions {
  readonly threads: number
  readonly padId: number
  /** Whether the model's output has a vector a token, a vector a text, or scores a pair. */
  readonly output: Output
  /** `cpu`, or `cuda:N`, whose operators that CUDA lacks run on the CPU. */
  readonly device?: string
}

type Output = 'tokens' | 'texts' | 'pairs'

export async function openSession(file: string, options: SessionOptions): Promise<TextSession> {
  const { device = 'cpu' } = options
  if (device !== 'cpu') loadCudaLibraries()
  const session = await runtime.InferenceSession.create(file, {
    executionProviders: providersOf(device),
    intraOpNumThreads: options.threads,
    graphOptimizationLevel: 'all',
    // Plans of memory are kept for every shape of a batch; shapes here never stop coming.
    enableMemPattern: false,
    extra: {
      // Threads that spin between two runs take the cores from the scan and from other requests.
      session: { intra_op: { allow_spinning: '0' } },
      // On a processor, a sum and a normalisation in one take longer than one after the other.
      ...(device === 'cpu' ? { optimization: { disable_specified_optimizers: slowFusion } } : {}),
    },
    // Errors reach the caller as exceptions; warnings about a model's graph help nobody.
    logSeverityLevel: 3,
  })
  const inputs = session.inputMetadata.map((input) => describeInput(input))
  const output = chooseOutput(session, options.output)

  return {
    async run(batch) {
      const width = Math.max(...batch.map(({ ids }) => ids.length))
      const feeds = Object.fromEntries(
        inputs.map(({ name, type, fill }) => [
          name,
          makeTensor(type, batch, width, fill === 'ids' ? options.padId : 0, fill),
        ]),
      )
      const result = (await session.run(feeds, [output]))[output]
      if (result?.type !== 'float32') {
        throw new Error(
          `expected float32 of the output ${output}, got ${result?.type ?? 'nothing'}`,
        )
      }
      const data = result.data as Float32Array
      const [, second = 0, third] = result.dims
      return third === undefined
        ? { data, width: second }
        : { data, rowTokens: second, width: third }
    },
    release: () => session.release(),
  }
}

const slowFusion = 'SkipLayerNormFusion'

function providersOf(device: string): InferenceSession.ExecutionProviderConfig[] {
  const [name, deviceId] = device.split(':')
  return name === 'cuda' ? [{ name, deviceId: Number(deviceId) }, 'cpu'] : ['cpu']
}

type Fill = 'ids' | 'mask' | 'types'
const fills: Readonly<Record<string, Fill>> = {
  input_ids: 'ids',
  attention_mask: 'mask',
  token_type_ids: 'types',
}

function describeInput(input: InferenceSession.ValueMetadata) {
  const fill = fills[input.name]
  const type = input.isTensor ? input.type : 'no tensor'
  if (fill === undefined) {
    throw new ModelFileError(
      `the ONNX model wants the input ${input.name}; expected ${Object.keys(fills).join(', ')}`,
    )
  }
  if (type !== 'int64' && type !== 'int32') {
    throw new ModelFileError(`the ONNX input ${input.name} is ${type}; expected int64 or int32`)
  }
  return { name: input.name, type, fill } as const
}

const outputNames = {
  tokens: ['last_hidden_state', 'token_embeddings'],
  texts: ['sentence_embedding'],
  pairs: ['logits'],
}

function chooseOutput(session: InferenceSession, output: Output): string {
  const name = outputNames[output].find((candidate) => session.outputNames.includes(candidate))
  const metadata = session.outputMetadata.find((candidate) => candidate.name === name)
  const rank = output === 'tokens' ? 3 : 2
  if (name === undefined || !metadata?.isTensor || metadata.shape.length !== rank) {
    throw new ModelFileError(
      `the ONNX model gives ${session.outputNames.join(', ')}; ` +
        `expected ${outputNames[output].join(' or ')} with ${rank} axes`,
    )
  }
  if (metadata.type !== 'float32') {
    throw new ModelFileError(`the ONNX output ${name} is ${metadata.type}; expected float32`)
  }
  return name
}

/** Token ids fit 32 bits: writing the low words of an int64 tensor spares a BigInt a token. */
function makeTensor(
  type: 'int64' | 'int32',
  batch: readonly TokenRow[],
  width: number,
  pad: number,
  fill: Fill,
): Tensor {
  const words = type === 'int64' ? 2 : 1
  const data = new Int32Array(batch.length * width * words)
  batch.forEach(({ ids, types }, row) => {
    const start = row * width * words
    const values = fill === 'types' ? types : ids
    for (let column = 0; column < width; column++) {
      const isPadding = column >= ids.length
      data[start + column * words] =
        fill === 'mask' ? Number(!isPadding) : isPadding ? pad : (values?.[column] ?? 0)
    }
  })
  const dims = [batch.length, width]
  return type === 'int64'
    ? new runtime.Tensor('int64', new BigInt64Array(data.buffer), dims)
    : new runtime.Tensor('int32', data, dims)
}
