/**
 * An encoder whose vectors were made elsewhere: it looks a text up. `texts` are those of evaluation.json, `file` a
 * float16 matrix of NumPy with a row for each.
 */
import { readFileSync } from 'node:fs'

export function openRecordedEncoder({ model, texts, file }) {
  const { rows, dimension, values } = readFloat16(file)
  if (rows !== texts.length) throw new Error(`${file}: ${rows} rows, expected ${texts.length}`)
  const rowOf = new Map(texts.map((text, row) => [text, row]))
  return {
    model,
    dimension,
    maxTokens: 256,
    vocabulary: 0,
    device: 'none',
    revision: undefined,
    encode: (requested) => Promise.resolve(encode(requested)),
    tokenize: () => Promise.reject(new Error(`${model} has vectors and no tokens`)),
    close: () => Promise.resolve(),
  }

  function encode(requested) {
    const vectors = new Float32Array(requested.length * dimension)
    requested.forEach((text, place) => {
      const row = rowOf.get(text)
      if (row === undefined) throw new Error(`${file} has no vector of: ${text}`)
      const vector = values.subarray(row * dimension, (row + 1) * dimension)
      vectors.set(vector, place * dimension)
    })
    const timings = { queueMs: 0, tokenizeMs: 0, inferMs: 0 }
    return { vectors, tokens: new Uint32Array(requested.length).fill(1), truncated: 0, timings }
  }
}

/** A little-endian matrix in C order. */
function readFloat16(file) {
  const bytes = readFileSync(file)
  const headerLength = bytes.readUInt16LE(8)
  const header = bytes.toString('latin1', 10, 10 + headerLength)
  const shape = /'descr': '<f2', 'fortran_order': False, 'shape': \((\d+), (\d+)\)/.exec(header)
  if (shape === null) throw new Error(`${file}: expected a float16 matrix, found ${header}`)
  const [rows, dimension] = shape.slice(1).map(Number)
  const start = 10 + headerLength
  const values = new Float32Array(rows * dimension)
  values.forEach((_, i) => (values[i] = float16(bytes.readUInt16LE(start + 2 * i))))
  return { rows, dimension, values }
}

function float16(bits) {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = (bits & 1023) / 1024
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return sign * (exponent === 0 ? 2 ** -14 * fraction : 2 ** (exponent - 15) * (1 + fraction))
}
