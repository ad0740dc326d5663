/** Checks of mapped files during searches, on a native thread that sleeps to keep to a budget. */
import { toNativeError } from './addon.js'
import type { NativeVerified } from './contract.js'

export interface VerifyOptions {
  /** What the check reads at most. */
  readonly bytesPerSecond: number
  /** Aborting ends the check; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the bytes that were read. Rejects with a NativeError that names the file: EFILE_DAMAGED,
 * ETOKENS_FORMAT, or ECODES_CORRUPT, which costs only speed. One check of a handle at a time.
 */
export async function verifyNative(
  native: NativeVerified,
  { bytesPerSecond, signal }: VerifyOptions,
): Promise<number> {
  signal?.throwIfAborted()
  const cancel = (): void => native.cancelVerify()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await native.verify(Math.min(Math.round(bytesPerSecond), 2 ** 32 - 1))
  } catch (error) {
    signal?.throwIfAborted()
    throw toNativeError(error)
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
