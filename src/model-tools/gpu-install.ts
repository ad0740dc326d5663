/**
 * Fetches ONNX Runtime's libraries for GPUs from their NuGet feed: what the install script of its package would do,
 * but only when asked, with transfers that resume, and compared with the hash that the feed has of the package.
 */
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { openPromise } from 'yauzl'
import { connect } from '../download/connect.js'
import { hashPart } from '../download/partial.js'
import { refreshFile, type RefreshOptions } from '../download/refresh-file.js'
import { withRetries } from '../download/retry.js'
import type { GpuLibraries } from '../encoders/onnx-runtime.js'
import { UpstreamError } from '../errors/upstream-error.js'

export interface GpuInstallOptions extends Omit<RefreshOptions, 'url' | 'file' | 'checksumUrl'> {
  readonly libraries: GpuLibraries
  /** Where they go, beside the library for the processor. */
  readonly folder: string
}

const indexSchema = v.object({
  resources: v.array(v.object({ '@id': v.string(), '@type': v.string() })),
})
const leafSchema = v.object({ catalogEntry: v.string(), packageContent: v.string() })
const entrySchema = v.object({
  packageHash: v.pipe(v.string(), v.base64()),
  packageHashAlgorithm: v.literal('SHA512'),
})
/** Descriptions are a few kilobytes. */
const maxDescriptionBytes = 4 * 2 ** 20

/** Whether all of them are there. */
export const areInstalled = ({ files }: GpuLibraries, folder: string): boolean =>
  [...files.keys()].every((name) => existsSync(join(folder, name)))

/** Rejects with an UpstreamError, what writing rejects with, or the signal's reason; then nothing has changed. */
export async function installGpuLibraries(options: GpuInstallOptions): Promise<void> {
  const { libraries, folder } = options
  const { name, version, feed } = libraries
  const { resources } = await readJson(feed, indexSchema, options)
  const base = resources.find((one) => one['@type'] === 'RegistrationsBaseUrl')?.['@id']
  if (base === undefined) throw unexpected(feed, 'the address of its registrations')
  const leaf = `${base.replace(/\/?$/, '/')}${name.toLowerCase()}/${version}.json`
  const { catalogEntry, packageContent } = await readJson(leaf, leafSchema, options)
  const { packageHash } = await readJson(catalogEntry, entrySchema, options)
  const archive = join(folder, `${name}.${version}.nupkg`)
  await refreshFile({ ...options, url: packageContent, file: archive })
  try {
    const hash = createHash('sha512')
    await hashPart(hash, archive)
    const found = hash.digest('base64')
    if (found !== packageHash) {
      const problem = `expected the SHA-512 ${packageHash}, received ${found}`
      throw new UpstreamError('EBODY', `${name} ${version}: ${problem}; nothing was changed`)
    }
    await unpack(archive, libraries, folder)
  } finally {
    for (const path of [archive, `${archive}.json`]) await rm(path, { force: true })
  }
}

async function readJson<const Schema extends v.GenericSchema>(
  address: string,
  schema: Schema,
  options: GpuInstallOptions,
): Promise<v.InferOutput<Schema>> {
  if (!URL.canParse(address)) throw unexpected(address, 'the address of a description')
  const url = new URL(address)
  const text = await withRetries(async () => {
    const reply = await connect(url, { ...options, what: url.pathname })
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of reply.body()) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxDescriptionBytes) throw unexpected(address, 'a short description')
    }
    return Buffer.concat(chunks).toString('utf8')
  }, options)
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (result.success) return result.output
  const [{ message }] = result.issues
  throw unexpected(address, `the JSON of a NuGet feed (${message})`)
}

const unexpected = (address: string, what: string) =>
  new UpstreamError('EBODY', `${address}: expected ${what}, received something else`)

/** All are written aside before the first one takes its name. */
async function unpack(archive: string, { files, name }: GpuLibraries, folder: string) {
  const byPath = new Map([...files].map(([file, path]) => [path, join(folder, file)]))
  const aside = (file: string) => `${file}.new`
  const written = new Set<string>()
  const zip = await openPromise(archive).catch((cause: unknown) => {
    throw new UpstreamError('EBODY', `${name}: the package is no archive`, { cause })
  })
  try {
    for await (const entry of zip.eachEntry()) {
      const file = byPath.get(entry.fileName)
      if (file === undefined) continue
      written.add(file)
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(aside(file)))
    }
    for (const [path, file] of byPath)
      if (!written.has(file)) throw unexpected(name, `the file ${path}`)
    for (const file of written) await rename(aside(file), file)
  } finally {
    zip.close()
    for (const file of byPath.values()) await rm(aside(file), { force: true })
  }
}
