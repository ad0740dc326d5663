/** Loads the addon, or says in one message how to build it. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NativeError } from '../errors/native-error.js'
import type { NativeAddon } from './contract.js'

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

function load(): NativeAddon {
  const path = join(packageRoot(), 'build', 'Release', 'synoptic.node')
  try {
    return createRequire(import.meta.url)(path) as NativeAddon
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EKERNEL' || code === 'ETHREADS') throw toNativeError(error)
    const problem = existsSync(path) ? 'does not load' : 'is not built'
    throw new NativeError('EADDON', `The native addon ${problem}; run \`npm run build\`.`, {
      file: path,
      cause: error,
    })
  }
}

/** The folder with package.json: the code runs from dist/, which is one or more folders below it. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) {
    folder = dirname(folder)
  }
  return folder
}
