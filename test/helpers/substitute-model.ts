/** Stand-ins for the models of the catalogue: tiny, of the right architecture and the right dimension. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Architecture, writeArchitecture } from './encoder-fixtures.js'

interface Module {
  readonly idx: number
  readonly name: string
  readonly path: string
  readonly type: string
}

const widths: Readonly<Record<Architecture, number>> = {
  bert: 16,
  mpnet: 16,
  roberta: 16,
  distilbert: 16,
  t5: 24,
  't5-gelu': 16,
}

/** The architecture of a name of the catalogue. */
export function architectureOf(name: string): Architecture {
  if (name.includes('fine_tuned')) return 't5-gelu'
  if (name.includes('-t5-')) return 't5'
  if (name.includes('roberta')) return 'roberta'
  if (name.includes('distilbert')) return 'distilbert'
  return name.includes('mpnet') ? 'mpnet' : 'bert'
}

/** A last Dense brings the tiny vectors to the dimension. */
export function writeSubstitute(
  folder: string,
  architecture: Architecture,
  dimension: number,
): void {
  writeArchitecture(architecture, folder)
  const file = join(folder, 'modules.json')
  const modules = JSON.parse(readFileSync(file, 'utf8')) as Module[]
  const isNormalize = ({ type }: Module) => type.endsWith('.Normalize')
  const dense = {
    idx: 9,
    name: '9',
    path: '9_Dense',
    type: 'sentence_transformers.models.Dense',
  }
  const ordered = [...modules.filter((m) => !isNormalize(m)), dense, ...modules.filter(isNormalize)]
  writeFileSync(file, JSON.stringify(ordered))
  const inputs = widths[architecture]
  mkdirSync(join(folder, dense.path))
  const config = {
    in_features: inputs,
    out_features: dimension,
    bias: false,
    activation_function: 'torch.nn.modules.linear.Identity',
  }
  writeFileSync(join(folder, dense.path, 'config.json'), JSON.stringify(config))
  const weights = Float32Array.from({ length: inputs * dimension }, (_, i) => Math.sin(1 + i * 1.7))
  writeFileSync(
    join(folder, dense.path, 'model.safetensors'),
    safetensors('linear.weight', [dimension, inputs], weights),
  )
}

function safetensors(name: string, shape: readonly number[], values: Float32Array): Buffer {
  const tensor = { dtype: 'F32', shape, data_offsets: [0, values.byteLength] }
  const header = Buffer.from(JSON.stringify({ [name]: tensor }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([length, header, Buffer.from(values.buffer)])
}
