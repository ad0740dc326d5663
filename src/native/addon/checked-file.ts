/** A file that was written with the hashes of its blocks, held open to be checked against them. */
import { loadAddon, toNativeError } from './addon.js'
import { type VerifyOptions, verifyNative } from './verify.js'

export interface CheckedFile {
  /** Returns the bytes that were read; rejects with NativeError EFILE_DAMAGED. */
  verify(options: VerifyOptions): Promise<number>
  /** Two system calls. Throws NativeError EFILE_CHANGED where somebody wrote into the file or cut it. */
  checkUnchanged(): void
  /** Idempotent; ends a check. */
  close(): void
}

/** @throws NativeError EFILE_OPEN, or EFILE_DAMAGED where the file is shorter than its hashes say */
export function openCheckedFile(path: string, bytes: number, hashes: Uint8Array): CheckedFile {
  const native = rethrown(() => loadAddon().openCheckedFile(path, bytes, hashes))
  return {
    verify: (options) => verifyNative(native, options),
    checkUnchanged: () => rethrown(() => native.checkUnchanged()),
    close: () => native.close(),
  }
}

function rethrown<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw toNativeError(error)
  }
}
