/**
 * The libraries of CUDA that ONNX Runtime's own one for GPUs needs: those of the machine, else those that
 * `synoptic gpu install --cuda` has put into its folder. Which major version it is depends on its build, so the file says.
 */
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { loadedFrom, loadLibrary } from '../../base/util/shared-library.js'
import { neededLibraries } from './needed-libraries.js'
import { runtimeLibraries } from './onnx-runtime.js'

export interface CudaLibrary {
  /** As the loader knows it: `libcublas.so.12`. */
  readonly name: string
  /** Without it no model runs on a GPU; without the others, models with some operators do not. */
  readonly isRequired: boolean
  /** The package of NVIDIA's in the Python index that has it; undefined for the driver's own. */
  readonly wheel: string | undefined
  /** Of that package's versions. */
  readonly major: number
}

export interface FoundLibrary extends CudaLibrary {
  /** Its file; undefined where it is missing or does not load. */
  readonly place: string | undefined
  /** What the loader said where it did not find or load it. */
  readonly problem: string | undefined
  /** Whether it is one that `gpu install` has fetched. */
  readonly isOurs: boolean
}

export const cudaProvider = 'libonnxruntime_providers_cuda.so'

/** In the order in which they ask for each other, with the packages that have them. */
const parts = [
  ['libcuda', undefined],
  ['libcudart', 'nvidia-cuda-runtime'],
  ['libnvrtc', 'nvidia-cuda-nvrtc'],
  ['libcublasLt', 'nvidia-cublas'],
  ['libcublas', 'nvidia-cublas'],
  ['libcurand', 'nvidia-curand'],
  ['libcufft', 'nvidia-cufft'],
  ['libcudnn', 'nvidia-cudnn'],
] as const

/** What it opens when an operator needs it, by the major version of CUDA. */
const onDemand = (cuda: number) => [
  `libnvrtc.so.${cuda}`,
  `libcufft.so.${cuda - 1}`,
  'libcudnn.so.9',
]

/** In the order in which they are to be loaded; empty where ONNX Runtime's own library is not installed. */
export function cudaLibraries(folder = runtimeLibraries()): CudaLibrary[] {
  const provider = join(folder, cudaProvider)
  if (!existsSync(provider)) return []
  const required = neededLibraries(provider)
  const cuda = Number(/^libcublas\.so\.(\d+)$/m.exec(required.join('\n'))?.[1] ?? NaN)
  const all = new Set([...required, ...(Number.isNaN(cuda) ? [] : onDemand(cuda))])
  return parts.flatMap(([part, wheel]) => {
    const name = [...all].find((one) => one.startsWith(`${part}.so.`))
    if (name === undefined) return []
    const major = Number(/(?<!\d)\d+$/.exec(name)?.[0])
    const isRequired = required.includes(name)
    return [{ name, isRequired, wheel: wheel && wheelName(wheel, cuda), major }]
  })
}

/** From CUDA 13 on only cuDNN's package has its number in its name. */
const wheelName = (wheel: string, cuda: number) =>
  cuda < 13 || wheel === 'nvidia-cudnn' ? `${wheel}-cu${cuda}` : wheel

/**
 * Loads each of them for good, so that ONNX Runtime finds it, and so do searches, which use cuBLAS too.
 * The machine's own come first: they fit its driver.
 */
export function loadCudaLibraries(folder = runtimeLibraries()): FoundLibrary[] {
  return cudaLibraries(folder).map((library) => {
    const own = join(folder, library.name)
    let problem = loadLibrary(library.name)
    if (problem !== undefined && existsSync(own)) problem = loadLibrary(own)
    const place = problem === undefined ? loadedFrom(library.name) : undefined
    return { ...library, problem, place, isOurs: existsSync(own) && place === realpathSync(own) }
  })
}
