/** Fetches CUDA's libraries, one package after the other, and puts them into ONNX Runtime's folder. */
import { rm, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { refreshFile, type RefreshOptions } from '../../base/download/refresh-file.js'
import { UpstreamError } from '../../base/errors/index.js'
import type { CudaWheel } from './cuda-wheels.js'
import { unpackLibraries } from './unpack-libraries.js'

export interface CudaInstallOptions extends Pick<
  RefreshOptions,
  'signal' | 'onRetry' | 'firstWaitMs' | 'stallMs'
> {
  readonly wheels: readonly CudaWheel[]
  readonly folder: string
  readonly onProgress?: (wheel: CudaWheel, done: number, total: number | undefined) => void
  /** Called when a package is in its place. */
  readonly onInstalled?: (wheel: CudaWheel, files: readonly string[]) => void
}

/** An archive has about half the size of its libraries; the last one is on disk together with all of them. */
export const neededBytes = (wheels: readonly CudaWheel[]): number => {
  const sizes = wheels.map(({ bytes = 0 }) => bytes)
  return sizes.reduce((sum, bytes) => sum + 2 * bytes, 0) + Math.max(0, ...sizes)
}

/**
 * Rejects with ENOSPC before it fetches anything, an UpstreamError, what writing rejects with, or the
 * signal's reason. What is whole by then stays; the next call goes on with the rest.
 */
export async function installCudaLibraries(options: CudaInstallOptions): Promise<void> {
  const { wheels, folder, onProgress, onInstalled } = options
  await requireSpace(folder, neededBytes(wheels))
  for (const wheel of wheels) {
    const { name, version, address, sha256, libraries } = wheel
    const archive = join(folder, `${name}-${version}.whl`)
    const fetched = await refreshFile({
      ...options,
      url: address,
      file: archive,
      onProgress: (done, total) => onProgress?.(wheel, done, total ?? wheel.bytes),
    })
    try {
      if (fetched.sha256 !== sha256) {
        const problem = `expected the SHA-256 ${sha256}, received ${fetched.sha256}`
        throw new UpstreamError('EBODY', `${name} ${version}: ${problem}`)
      }
      const expected = libraries.map((library) => join(folder, library))
      const files = await unpackLibraries({
        archive,
        name: `${name} ${version}`,
        expected,
        fileOf: (entry) => (isLibrary(entry) ? join(folder, basename(entry)) : undefined),
      })
      onInstalled?.(wheel, files)
    } finally {
      for (const path of [archive, `${archive}.json`]) await rm(path, { force: true })
    }
  }
}

/** Libraries may open others of their package by name, so all of them come out, but for those of other uses. */
const isLibrary = (entry: string) =>
  /\/lib\/lib[\w-]+\.so\.[\d.]+$/.test(entry) && !/\/lib(?:nvblas|cufftw)\./.test(entry)

async function requireSpace(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= needed) return
  const message = `ENOSPC: expected ${megabytes(needed)} MB free in ${folder}, found ${megabytes(free)} MB`
  throw Object.assign(new Error(message), { code: 'ENOSPC' })
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)
