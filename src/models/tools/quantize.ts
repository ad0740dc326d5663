/**
 * An installed model made smaller and faster: int8 weights by ONNX Runtime's own quantiser. How near it
 * stays to float32, and how much faster it is, is measured before it replaces the model.
 */
import { cp, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { availableParallelism } from 'node:os'
import * as v from 'valibot'
import { replaceFile } from '../../base/util/replace-file.js'
import { cosine } from '../../base/util/cosine.js'
import { readJsonIfThere } from '../format/model-files.js'
import { readPipeline } from '../format/pipeline.js'
import { type WorkerEncoder, openWorkerEncoder } from '../encoders/worker-encoder.js'
import { ModelAddError, ModelNotInstalledError } from '../../base/errors/index.js'
import { sampleTexts } from './check-texts.js'
import { temporaryFor, findModel, replaceFolder } from './install.js'
import { sourceName } from './pull.js'
import { type PythonTask, runPython } from './python.js'

export interface QuantizeOptions extends Pick<PythonTask, 'onLine' | 'signal'> {
  readonly name: string
  readonly modelsDir: string
  /** Mean cosine to float32 below which nothing is installed. */
  readonly leastCosine: number
  /** Measures and installs nothing. */
  readonly dryRun: boolean
}

export interface QuantizedModel {
  readonly name: string
  /** Of the same texts' vectors by both networks. */
  readonly meanCosine: number
  readonly leastCosine: number
  /** Texts a second. */
  readonly floatRate: number
  readonly int8Rate: number
  readonly floatBytes: number
  readonly int8Bytes: number
}

/** Rejects with UnknownModelError, ModelNotInstalledError, ModelAddError, ModelLoadError or PythonError. */
export async function quantizeModel(options: QuantizeOptions): Promise<QuantizedModel> {
  const { modelsDir, dryRun } = options
  const model = findModel(options.name, { modelsDir })
  const { name, folder, installed, builtin, repository, kind } = model
  if (builtin || kind !== 'encoder') throw new ModelAddError(name, 'only encoders are quantised')
  if (!installed) throw new ModelNotInstalledError(name, repository)
  const temporary = temporaryFor(folder)
  try {
    await cp(await realpath(folder), temporary, { recursive: true, dereference: true })
    const network = (await readPipeline(temporary)).modelFile
    await quantize(network, options)
    const measured = {
      name,
      ...(await compare(name, folder, temporary)),
      ...(await sizes(folder, temporary)),
    }
    const { meanCosine } = measured
    if (meanCosine < options.leastCosine) {
      const found = `found ${meanCosine.toFixed(4)}`
      const expected = `expected a mean cosine to float32 of at least ${options.leastCosine}`
      throw new ModelAddError(name, `${expected}, ${found}; --least-cosine accepts less`)
    }
    if (dryRun) return measured
    await recordSource(temporary, name)
    await replaceFolder(temporary, folder)
    return measured
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Where the float32 network came from, and that this is none. */
async function recordSource(temporary: string, name: string): Promise<void> {
  const file = join(temporary, sourceName)
  const fallback = { repository: name, commit: 'local' }
  const record = { ...fallback, ...(await readJsonIfThere(file, sourceFile)), dtype: 'int8' }
  replaceFile(file, `${JSON.stringify(record, null, 2)}\n`)
}

const sourceFile = v.object({ repository: v.string(), commit: v.string() })

async function quantize(network: string, options: QuantizeOptions): Promise<void> {
  const target = join(dirname(network), 'quantised.onnx')
  await runPython({
    script: 'quantize_model.py',
    words: [network, target],
    packages: ['onnxruntime>=1.20', 'onnx>=1.17'],
    modules: ['onnxruntime.quantization', 'onnx'],
    environmentFolder: join(options.modelsDir, '.python-quantize'),
    onLine: options.onLine,
    signal: options.signal,
  })
  // External data of the float32 network are no more needed; those of the new one name themselves.
  await rm(`${network}_data`, { force: true })
  await rename(target, network)
}

/** In turns, so that a machine that gets slower does so for both. */
async function compare(model: string, folder: string, temporary: string) {
  const threads = availableParallelism()
  const encoders: WorkerEncoder[] = []
  try {
    for (const current of [folder, temporary]) {
      encoders.push(await openWorkerEncoder({ model, folder: current, threads }))
    }
    const times: [number[], number[]] = [[], []]
    const vectors: Float32Array[] = []
    for (let round = 0; round < 3; round++) {
      for (const [i, encoder] of encoders.entries()) {
        const begun = performance.now()
        vectors[i] = (await encoder.encode(sampleTexts, { priority: 'bulk' })).vectors
        times[i]?.push(performance.now() - begun)
      }
    }
    const [floats = new Float32Array(), bytes = new Float32Array()] = vectors
    const dimension = encoders[0]?.dimension ?? 0
    const row = (all: Float32Array, i: number) => all.subarray(i * dimension, (i + 1) * dimension)
    const cosines = sampleTexts.map((_, i) => cosine(row(floats, i), row(bytes, i)))
    const rate = (list: readonly number[]) => (1000 * sampleTexts.length) / Math.min(...list)
    return {
      meanCosine: cosines.reduce((sum, value) => sum + value, 0) / cosines.length,
      leastCosine: Math.min(...cosines),
      floatRate: rate(times[0]),
      int8Rate: rate(times[1]),
    }
  } finally {
    await Promise.all(encoders.map((encoder) => encoder.close()))
  }
}

async function sizes(folder: string, temporary: string) {
  const bytesOf = async (model: string) => (await stat((await readPipeline(model)).modelFile)).size
  return { floatBytes: await bytesOf(folder), int8Bytes: await bytesOf(temporary) }
}
