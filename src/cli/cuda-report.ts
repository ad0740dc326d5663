/** What of CUDA is there for models, what is missing, and which command mends it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  cudaProvider,
  type FoundLibrary,
  loadCudaLibraries,
} from '../models/encoders/cuda-libraries.js'
import { gpuLibraries, runtimeLibraries } from '../models/encoders/onnx-runtime.js'
import { loadedFrom, loadLibrary } from '../base/util/shared-library.js'

/** In the order in which searches ask for one (native/cuda/src/blas.cpp). */
const cublasNames = ['libcublas.so.13', 'libcublas.so.12']

const driverLibrary = 'libcuda.so.1'

/** A line for each library, then what to do. */
export function describeModelsOnGpu(folder = runtimeLibraries()): string[] {
  if (gpuLibraries() === undefined)
    return [`models: ONNX Runtime has no libraries for GPUs for ${machine}`]
  if (!existsSync(join(folder, cudaProvider)))
    return [
      "models: run on the processor; ONNX Runtime's libraries for GPUs are not installed.",
      'To fetch them and what they need of CUDA, run: synoptic gpu install --cuda',
    ]
  const found = loadCudaLibraries(folder)
  return ['models: ONNX Runtime needs of CUDA', ...describeCuda(found), ...adviceFor(found)]
}

/** Of searches; those of models are loaded by then. */
export function describeCublas(): string[] {
  if (process.platform !== 'linux') return []
  const named = process.env.SYNOPTIC_CUBLAS?.trim() ?? ''
  if (named !== '') return [`searches: cuBLAS is that of SYNOPTIC_CUBLAS, ${named}`]
  const found = cublasNames.find((name) => loadLibrary(name) === undefined)
  return [
    found === undefined
      ? `searches: cuBLAS (${cublasNames.join(' or ')}) is missing; batches are slower without it`
      : `searches: cuBLAS is ${loadedFrom(found) ?? found}`,
  ]
}

const machine = `${process.platform} on ${process.arch}`

export function describeCuda(found: readonly FoundLibrary[]): string[] {
  const width = Math.max(...found.map(({ name }) => name.length))
  return found.map((library) => `  ${library.name.padEnd(width)}  ${stateOf(library)}`)
}

function stateOf({ place, problem, isRequired, isOurs }: FoundLibrary): string {
  if (place !== undefined) return isOurs ? `${place}, fetched by \`gpu install\`` : place
  if (problem === undefined) return 'loaded'
  const state = problem.includes('No such file') ? 'missing' : problem
  return isRequired ? state : `${state}; only some models need it`
}

/** Empty where all is there. */
export function adviceFor(found: readonly FoundLibrary[]): string[] {
  const missing = found.filter(({ problem }) => problem !== undefined)
  const ofPackages = missing.filter(({ wheel }) => wheel !== undefined)
  const isPart = ofPackages.some(({ isRequired }) => isRequired)
  const all = ofPackages.length > 0 && (isPart ? '--cuda' : '--cuda --optional')
  return [
    ...(missing.some(({ isRequired }) => isRequired)
      ? ['Until all that is needed is there, models run on the processor.']
      : []),
    ...(missing.some(({ name }) => name === driverLibrary)
      ? [`${driverLibrary} is part of NVIDIA's driver, which your system installs.`]
      : []),
    ...(all ? [`To fetch what is missing, run: synoptic gpu install ${all}`] : []),
  ]
}
