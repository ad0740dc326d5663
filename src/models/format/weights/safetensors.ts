/** Weights from a `.safetensors` file: a length, a JSON header, the numbers. */
import * as v from 'valibot'
import { ModelFileError, maxMebibytes, readWhole } from '../model-files.js'
import { type WeightTensor, toFloat32, weightBytes } from './tensor-data.js'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const tensorEntry = v.object({
  dtype: v.picklist(['F64', 'F32', 'F16', 'BF16']),
  shape: v.array(count),
  data_offsets: v.tuple([count, count]),
})

/** Throws a ModelFileError. The whole file is read: it is for the weights of small modules. */
export async function readSafetensors(path: string): Promise<Map<string, WeightTensor>> {
  const file = await readWhole(path, maxMebibytes.weights)
  const start = file.length < 8 ? NaN : 8 + Number(file.readBigUInt64LE(0))
  if (!(start <= file.length)) throw new ModelFileError('model.safetensors is cut off')
  const entries = parseHeader(file.toString('utf8', 8, start))
  return new Map(
    entries.map(([name, entry]) => [name, readTensor(name, entry, file.subarray(start))]),
  )
}

function parseHeader(text: string): [string, unknown][] {
  try {
    const header = v.parse(v.record(v.string(), v.unknown()), JSON.parse(text))
    return Object.entries(header).filter(([name]) => name !== '__metadata__')
  } catch {
    throw new ModelFileError('model.safetensors: its header is no JSON object')
  }
}

function readTensor(name: string, entry: unknown, numbers: Buffer): WeightTensor {
  const result = v.safeParse(tensorEntry, entry)
  if (!result.success) {
    throw new ModelFileError(`model.safetensors: ${name}: ${result.issues[0].message}`)
  }
  const { dtype, shape, data_offsets } = result.output
  const [begin, end] = data_offsets
  const bytes = shape.reduce((product, size) => product * size, weightBytes[dtype])
  if (end - begin !== bytes || end > numbers.length) {
    const expected = `expected ${bytes} bytes of [${shape.join(', ')}]`
    throw new ModelFileError(
      `model.safetensors: ${name}: ${expected}, its bytes are ${begin}..${end}`,
    )
  }
  return { shape, data: toFloat32(dtype, numbers.subarray(begin, end)) }
}
