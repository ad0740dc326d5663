/** Where ONNX Runtime's package lies, and what it knows of the libraries for GPUs that it leaves out. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as v from 'valibot'
import { PlatformError } from '../../base/errors/index.js'
import { usesMusl } from '../../base/util/c-library.js'
import { nativePackage, requireNative } from '../../base/util/native-packages.js'

const require = createRequire(import.meta.url)

export interface GpuLibraries {
  /** Name and version of the NuGet package that has them. */
  readonly name: string
  readonly version: string
  /** Address of its feed. */
  readonly feed: string
  /** Paths inside that package by the names that the files get. */
  readonly files: ReadonlyMap<string, string>
}

/** The folder of the libraries for this machine. */
export function runtimeLibraries(): string {
  const runtime = nativePackage('onnxruntime-node')
  return join(runtime, 'bin', 'napi-v6', process.platform, process.arch)
}

/**
 * Says at a start that no model can run here, and what to do. Loads nothing where there is a library.
 * @throws PlatformError
 */
export function requireOnnxRuntime(): void {
  const { platform, arch } = process
  const need = 'ONNX Runtime, on which every model runs,'
  if (!hasLibrary())
    throw new PlatformError(
      `${need} has no library for ${platform} on ${arch}. Synoptic runs on Linux (x64, arm64), Windows and ` +
        'Macs with Apple processors; here it can run in a container or virtual machine with Linux.',
    )
  if (!usesMusl()) return
  try {
    requireNative('onnxruntime-node')
  } catch (cause) {
    throw new PlatformError(
      `${need} has no library for Linux with musl, such as Alpine. Use a Linux with glibc 2.28 or newer: ` +
        'in a container an image that is based on Debian, such as node:24-slim instead of node:24-alpine.',
      { cause },
    )
  }
}

function hasLibrary(): boolean {
  try {
    return existsSync(runtimeLibraries())
  } catch {
    // Not installed. Where there is a package to install, what needs it says so.
    return packagedPlatforms.has(`${process.platform}-${process.arch}`)
  }
}

/** Those of tools/package. */
const packagedPlatforms = new Set(['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64'])

/** The list of its install script. */
const metadataSchema = v.object({
  requirements: v.record(v.string(), v.array(v.string())),
  manifests: v.record(
    v.string(),
    v.record(v.string(), v.object({ package: v.string(), path: v.string() })),
  ),
  packages: v.record(
    v.string(),
    v.object({
      name: v.string(),
      versions: v.array(v.object({ feed: v.string(), version: v.string() })),
    }),
  ),
  feeds: v.record(v.string(), v.object({ index: v.string() })),
})

/** Undefined where there are none for such a machine. */
export function gpuLibraries(platform = `${process.platform}/${process.arch}`) {
  const path = join(nativePackage('onnxruntime-node'), 'script', 'install-metadata.js')
  const metadata = v.parse(metadataSchema, require(path))
  const [kind] = metadata.requirements[platform] ?? []
  const manifest = Object.entries(metadata.manifests[`${platform}:${kind}`] ?? {})
  const source = metadata.packages[manifest[0]?.[1].package ?? '']
  const [place] = source?.versions ?? []
  const feed = metadata.feeds[place?.feed ?? '']?.index
  if (source === undefined || place === undefined || feed === undefined) return undefined
  const files = new Map(manifest.map(([file, { path }]) => [file.replace(/^\.\//, ''), path]))
  return { name: source.name, version: place.version, feed, files } satisfies GpuLibraries
}
