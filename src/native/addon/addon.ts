/** Loads the addon, or says in one message how to build it. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { NativeError } from '../../base/errors/index.js'
import { isInstalledPackage, packageRoot } from '../../base/util/package-root.js'
import type { NativeAddon } from './contract.js'
import { prebuiltAddon } from './prebuilt.js'

let loaded: NativeAddon | undefined

export function loadAddon(): NativeAddon {
  loaded ??= load()
  return loaded
}

/**
 * An error of the addon as a NativeError, with the stack of its caller: called by an async function
 * that has waited for the addon, it names those that wait for that function.
 */
export function toNativeError(error: unknown): NativeError {
  const { code, file, expected, found } = error as Record<string, unknown>
  const message = error instanceof Error ? error.message : String(error)
  const native = new NativeError(typeof code === 'string' ? code : 'ENATIVE', message, {
    file,
    expected,
    found,
  })
  Error.captureStackTrace(native, toNativeError)
  return native
}

/** What was compiled on this machine comes first: it may have the CUDA library next to it, or be newer. */
function load(): NativeAddon {
  const own = join(packageRoot, 'build', 'Release', 'synoptic.node')
  const present = [own, prebuiltAddon(packageRoot)].filter((path) => existsSync(path))
  const causes: unknown[] = []
  for (const path of present) {
    try {
      return createRequire(import.meta.url)(path) as NativeAddon
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EKERNEL' || code === 'ETHREADS') throw toNativeError(error)
      causes.push(error)
    }
  }
  const problem = present.length > 0 ? 'does not load' : 'is not built'
  const remedy = isInstalledPackage ? 'synoptic compile' : 'npm run build'
  throw new NativeError('EADDON', `The native addon ${problem}; run \`${remedy}\`.`, {
    file: present[0] ?? own,
    cause: causes[0],
  })
}
