/** Chooses the device that a model runs on: the requested one, or the best available. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runtimeLibraries } from './onnx-runtime.js'

interface DeviceChoice {
  /** `cpu` or `cuda:N`. */
  readonly device: string
  /** Why it is not the requested one. */
  readonly warning?: string
}

export interface Devices {
  /** @param requested `cpu`, `cuda` or `cuda:N`; the best where absent */
  choose(requested: string | undefined): DeviceChoice
  /** Those that models run on, as far as is known without trying. */
  present(): readonly string[]
  /** Why no model runs on CUDA; undefined where they do. */
  cudaProblem(): string | undefined
  /** From here on the device counts as not there. */
  failed(device: string): void
}

/** @param hasCuda whether ONNX Runtime's CUDA libraries are there */
export function createDevices(hasCuda: boolean = findCudaProvider()): Devices {
  const broken = new Set<string>()
  return {
    choose(requested) {
      if (requested === 'cpu') return { device: 'cpu' }
      const device = requested === undefined || requested === 'cuda' ? firstCuda : requested
      if (hasCuda && !broken.has(device)) return { device }
      return requested === undefined
        ? { device: 'cpu' }
        : { device: 'cpu', warning: notThere(requested) }
    },
    present: () => ['cpu', ...(hasCuda && !broken.has(firstCuda) ? [firstCuda] : [])],
    cudaProblem() {
      if (!hasCuda) return 'the CUDA libraries of ONNX Runtime are not installed'
      return broken.has(firstCuda) ? `${firstCuda} has failed` : undefined
    },
    failed: (device) => void broken.add(device),
  }
}

const firstCuda = 'cuda:0'

const notThere = (requested: string) => `${requested} is not there; the CPU answered.`

/** The package brings the CPU's library alone; `synoptic gpu install` puts the others into its folder. */
function findCudaProvider(): boolean {
  const library = {
    linux: 'libonnxruntime_providers_cuda.so',
    win32: 'onnxruntime_providers_cuda.dll',
  }[process.platform as string]
  return library !== undefined && existsSync(join(runtimeLibraries(), library))
}
