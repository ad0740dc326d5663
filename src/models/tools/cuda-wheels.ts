/** NVIDIA's own packages of CUDA's libraries: found in a Python index (PEP 691), which has their sizes and hashes. */
import * as v from 'valibot'
import type { CudaLibrary } from '../encoders/cuda-libraries.js'
import { type DescriptionOptions, readDescription, unexpected } from './read-description.js'

export interface CudaWheel {
  readonly name: string
  readonly version: string
  readonly address: string
  readonly sha256: string
  /** Undefined where the index does not say. */
  readonly bytes: number | undefined
  /** Files that it has to have. */
  readonly libraries: readonly string[]
}

/** The public one, PyPI. */
export const defaultIndex = 'https://pypi.org/simple/'

const pageSchema = v.object({
  files: v.array(
    v.object({
      filename: v.string(),
      url: v.string(),
      hashes: v.object({ sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))) }),
      size: v.optional(v.nullable(v.number())),
      yanked: v.optional(v.union([v.boolean(), v.string()])),
    }),
  ),
})

/** One wheel for each package, the newest that fits. Rejects with an UpstreamError or the signal's reason. */
export async function findCudaWheels(
  libraries: readonly CudaLibrary[],
  index: string,
  options: DescriptionOptions,
): Promise<CudaWheel[]> {
  const byWheel = new Map<string, CudaLibrary[]>()
  for (const library of libraries) {
    if (library.wheel === undefined) continue
    byWheel.set(library.wheel, [...(byWheel.get(library.wheel) ?? []), library])
  }
  const wheels: CudaWheel[] = []
  for (const [name, wanted] of byWheel) wheels.push(await findWheel(name, wanted, index, options))
  return wheels
}

async function findWheel(
  name: string,
  wanted: readonly CudaLibrary[],
  index: string,
  options: DescriptionOptions,
): Promise<CudaWheel> {
  const page = `${index.replace(/\/?$/, '/')}${name}/`
  const headers = { accept: 'application/vnd.pypi.simple.v1+json' }
  const { files } = await readDescription(page, pageSchema, 'a Python index', {
    ...options,
    headers,
  })
  // The packages of a major version have libraries of that number.
  const major = String(wanted[0]?.major)
  const fitting = files.flatMap((file) => {
    const version = versionOf(file.filename, name)
    const isYanked = file.yanked !== undefined && file.yanked !== false
    return version?.split('.')[0] === major && !isYanked ? [{ ...file, version }] : []
  })
  const [newest] = fitting.sort((a, b) => compare(b.version, a.version))
  if (newest === undefined) throw unexpected(page, `a wheel of version ${major} for Linux`)
  const { sha256 } = newest.hashes
  if (sha256 === undefined) throw unexpected(page, `the SHA-256 of ${newest.filename}`)
  return {
    name,
    version: newest.version,
    sha256,
    bytes: newest.size ?? undefined,
    address: new URL(newest.url, page).href,
    libraries: wanted.map((library) => library.name),
  }
}

const machine = { x64: 'x86_64', arm64: 'aarch64' }[process.arch as string]

/** Undefined of files for other systems, and of versions that are not final. */
function versionOf(filename: string, name: string): string | undefined {
  const parts = /^(.+?)-(\d+(?:\.\d+)*)-py3-none-(.+)\.whl$/.exec(filename)
  const [, project = '', version, platforms = ''] = parts ?? []
  const isOurs = project.toLowerCase().replaceAll(/[-_.]+/g, '-') === name
  const fits = platforms
    .split('.')
    .some((tag) => tag.startsWith('manylinux') && tag.endsWith(`_${machine}`))
  return isOurs && fits ? version : undefined
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
