/**
 * Fetches ONNX Runtime's libraries for GPUs from their NuGet feed: what the install script of its package would do,
 * but only on request, with transfers that resume, and compared with the hash that the feed has of the package.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { hashPart } from '../../base/download/partial.js'
import { refreshFile, type RefreshOptions } from '../../base/download/refresh-file.js'
import type { GpuLibraries } from '../encoders/onnx-runtime.js'
import { UpstreamError } from '../../base/errors/index.js'
import { readDescription, unexpected } from './read-description.js'
import { unpackLibraries } from './unpack-libraries.js'

export interface GpuInstallOptions extends Omit<RefreshOptions, 'url' | 'file' | 'checksumUrl'> {
  readonly libraries: GpuLibraries
  /** The target: the folder of the library for the CPU. */
  readonly folder: string
}

const indexSchema = v.object({
  resources: v.array(v.object({ '@id': v.string(), '@type': v.string() })),
})
const leafSchema = v.object({ catalogEntry: v.string(), packageContent: v.string() })
const entrySchema = v.object({
  packageHash: v.pipe(v.string(), v.base64()),
  packageHashAlgorithm: v.literal('SHA512'),
  packageSize: v.optional(v.number()),
})
const feedOf = 'a NuGet feed'

export interface GpuPackage {
  readonly address: string
  /** SHA-512 in base64. */
  readonly hash: string
  /** Undefined where the feed does not say. */
  readonly bytes: number | undefined
}

/** Whether all of them are there. */
export const areInstalled = ({ files }: GpuLibraries, folder: string): boolean =>
  [...files.keys()].every((name) => existsSync(join(folder, name)))

/** What the feed says of the package. Rejects with an UpstreamError or the signal's reason. */
export async function findGpuPackage(
  { name, version, feed }: GpuLibraries,
  options: Pick<GpuInstallOptions, 'signal' | 'onRetry' | 'firstWaitMs' | 'stallMs'>,
): Promise<GpuPackage> {
  const { resources } = await readDescription(feed, indexSchema, feedOf, options)
  const base = resources.find((one) => one['@type'] === 'RegistrationsBaseUrl')?.['@id']
  if (base === undefined) throw unexpected(feed, 'the address of its registrations')
  const leaf = `${base.replace(/\/?$/, '/')}${name.toLowerCase()}/${version}.json`
  const { catalogEntry, packageContent } = await readDescription(leaf, leafSchema, feedOf, options)
  const entry = await readDescription(catalogEntry, entrySchema, feedOf, options)
  return { address: packageContent, hash: entry.packageHash, bytes: entry.packageSize }
}

/** Rejects with an UpstreamError, what writing rejects with, or the signal's reason; then nothing has changed. */
export async function installGpuLibraries(options: GpuInstallOptions): Promise<void> {
  const { libraries, folder } = options
  const { name, version, files } = libraries
  const { address, hash: expected } = await findGpuPackage(libraries, options)
  const archive = join(folder, `${name}.${version}.nupkg`)
  await refreshFile({ ...options, url: address, file: archive })
  try {
    const hash = createHash('sha512')
    await hashPart(hash, archive)
    const found = hash.digest('base64')
    if (found !== expected) {
      const problem = `expected the SHA-512 ${expected}, received ${found}`
      throw new UpstreamError('EBODY', `${name} ${version}: ${problem}; nothing was changed`)
    }
    const byPath = new Map([...files].map(([file, path]) => [path, join(folder, file)]))
    const fileOf = (entry: string) => byPath.get(entry)
    await unpackLibraries({ archive, name, fileOf, expected: [...byPath.values()] })
  } finally {
    for (const path of [archive, `${archive}.json`]) await rm(path, { force: true })
  }
}
