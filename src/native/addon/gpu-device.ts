/** The CUDA device behind searches: how much of its memory they may have, and what they did with it. */
import { loadAddon, toNativeError } from './addon.js'
import type { NativeGpuStats } from './contract.js'

/** Why the device that is there could not be set up; the first call of configureGpu decides. */
let refusal: string | undefined

/** How much of a device's memory may be used. */
export type GpuMemoryLimit =
  | { readonly kind: 'auto' }
  | { readonly kind: 'bytes' | 'percent'; readonly value: number }

/**
 * Sends searches of collections that are opened from now on to a device; without one, or with
 * a limit of 0, nothing changes. Only the first call counts. Throws NativeError ECUDA_*.
 * @param processes that share the device
 * @param device its number
 */
export function configureGpu(limit: GpuMemoryLimit, processes: number, device = 0): void {
  try {
    const value = limit.kind === 'auto' ? 0 : limit.value
    loadAddon().configureGpu(limit.kind, value, processes, device)
  } catch (error) {
    const thrown = toNativeError(error)
    refusal = thrown.message
    throw thrown
  }
}

/** Why no device is used although there is one; undefined: none was refused. */
export function gpuRefusal(): string | undefined {
  return refusal
}

/** Undefined where no device is used. */
export function gpuStats(): NativeGpuStats | undefined {
  return loadAddon().gpuStats() ?? undefined
}

/** Frees device memory that no search has used within that time; how many layouts of columns went. */
export function releaseIdleGpu(idleMs: number): number {
  return loadAddon().releaseIdleGpu(Math.min(Math.ceil(idleMs), 2 ** 32 - 1))
}
