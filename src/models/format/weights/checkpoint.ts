/** Weights from a `pytorch_model.bin`: a ZIP archive of a pickle and of files of numbers. */
import { ModelFileError, maxMebibytes, readWhole } from '../model-files.js'
import { PickleTensor, readPickle } from './pickle.js'
import { type WeightTensor, type WeightType, toFloat32, weightBytes } from './tensor-data.js'
import { readStoredZip } from './zip.js'

/** Throws a ModelFileError. Nothing that the file says is executed. */
export async function readCheckpoint(path: string): Promise<Map<string, WeightTensor>> {
  const files = readStoredZip(await readWhole(path, maxMebibytes.weights))
  const pickle = [...files.keys()].find((name) => /^[^/]+\/data\.pkl$/.test(name))
  if (pickle === undefined) throw broken('data.pkl is missing')
  const folder = pickle.slice(0, pickle.indexOf('/'))
  const order = files.get(`${folder}/byteorder`)?.toString() ?? 'little'
  if (order !== 'little') throw broken(`expected little-endian numbers, found ${order}`)
  const root = readPickle(files.get(pickle) ?? Buffer.alloc(0))
  if (!(root instanceof Map)) throw broken('expected a dictionary of tensors')
  const tensors = new Map<string, WeightTensor>()
  for (const [name, value] of root) {
    if (typeof name !== 'string' || !(value instanceof PickleTensor)) {
      throw broken('expected a dictionary of tensors')
    }
    const numbers = files.get(`${folder}/data/${value.storage.key}`)
    if (numbers === undefined) throw broken(`${name}: its numbers are missing`)
    tensors.set(name, readTensor(name, value, numbers))
  }
  return tensors
}

const types: Readonly<Record<string, WeightType>> = {
  'torch.DoubleStorage': 'F64',
  'torch.FloatStorage': 'F32',
  'torch.HalfStorage': 'F16',
  'torch.BFloat16Storage': 'BF16',
}

function readTensor(name: string, tensor: PickleTensor, numbers: Buffer): WeightTensor {
  const { storage, offset, shape, strides } = tensor
  const type = types[storage.type]
  if (type === undefined) throw broken(`${name} is a ${storage.type}; expected floating point`)
  const count = shape.reduce((product, size) => product * size, 1)
  const last = shape.reduce((sum, size, axis) => sum + (size - 1) * (strides[axis] ?? 0), offset)
  // A tensor may repeat its numbers, but weights do not, and a broken shape could ask for any memory.
  const needed = Math.max(count, count > 0 ? last + 1 : 0)
  if (needed * weightBytes[type] > numbers.length) {
    throw broken(`${name}: expected ${needed} numbers, found ${numbers.length} bytes`)
  }
  const stored = toFloat32(type, numbers)
  const data = Float32Array.from({ length: count }, (_, i) => {
    let rest = i
    let at = offset
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1
      at += (rest % size) * (strides[axis] ?? 0)
      rest = Math.floor(rest / size)
    }
    return stored[at] ?? NaN
  })
  return { shape, data }
}

const broken = (problem: string) => new ModelFileError(`pytorch_model.bin: ${problem}`)
