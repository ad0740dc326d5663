/** Numbers of the types that weights are stored in, as float32. */
import { ModelFileError } from '../model-files.js'

export interface WeightTensor {
  readonly shape: readonly number[]
  /** Row-major. */
  readonly data: Float32Array
}

export type WeightType = 'F64' | 'F32' | 'F16' | 'BF16'
export const weightBytes: Readonly<Record<WeightType, number>> = { F64: 8, F32: 4, F16: 2, BF16: 2 }

/** @param bytes little-endian, `weightBytes` each */
export function toFloat32(type: WeightType, bytes: Buffer): Float32Array {
  const size = weightBytes[type]
  if (bytes.length % size !== 0) {
    throw new ModelFileError(`expected a multiple of ${size} bytes of ${type}, got ${bytes.length}`)
  }
  const read = readers[type]
  return Float32Array.from({ length: bytes.length / size }, (_, i) => read(bytes, i * size))
}

const readers: Readonly<Record<WeightType, (bytes: Buffer, at: number) => number>> = {
  F64: (bytes, at) => bytes.readDoubleLE(at),
  F32: (bytes, at) => bytes.readFloatLE(at),
  F16: (bytes, at) => halfToNumber(bytes.readUInt16LE(at)),
  BF16: (bytes, at) => {
    word.setUint32(0, bytes.readUInt16LE(at) << 16)
    return word.getFloat32(0)
  },
}
const word = new DataView(new ArrayBuffer(4))

function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  if (exponent === 0) return sign * fraction * 2 ** -24
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
