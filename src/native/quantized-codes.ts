/**
 * Shadows: small quantised copies beside their matrices (`x.npy.q8`, `x.npy.q4`) that rule rows out, so
 * that a search reads a quarter to an eighth of the bytes and still answers exactly. A collection
 * uses those it finds when it opens.
 */
import { NativeError } from '../errors/native-error.js'
import { loadAddon, toNativeError } from './addon.js'

export interface ShadowOptions {
  /** Bits a dimension; `auto` (default) measures which is fastest, and none may be. */
  readonly bits?: 4 | 8 | 'auto'
  /** Aborting removes what was written; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** From 0 to 1, a few times a second. */
  readonly onProgress?: (share: number) => void
}

export interface BuiltShadow {
  /** 4, 8 or 0: the matrix is better off without one. */
  readonly bits: number
  readonly bytes: number
  /** Rows that a search for ten is expected to score canonically. */
  readonly predictedSurvivors: number
}

const progressIntervalMs = 100
let lastTicket = 0

/** Makes the shadow of a `.npy` matrix and replaces an older one, in one step. */
export async function buildShadow(path: string, options: ShadowOptions = {}): Promise<BuiltShadow> {
  const { bits = 'auto', signal, onProgress } = options
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new NativeError('EARGUMENT', `path: expected a file, received ${JSON.stringify(path)}`)
  }
  if (![4, 8, 'auto'].includes(bits)) {
    throw new NativeError('EARGUMENT', `bits: expected 4, 8 or auto, received ${String(bits)}`)
  }
  signal?.throwIfAborted()
  const addon = loadAddon()
  lastTicket = (lastTicket + 1) % 2 ** 32
  const ticket = lastTicket
  const cancel = (): void => addon.cancelShadow(ticket)
  const report = (): void => {
    const [done, total] = addon.shadowProgress(ticket)
    onProgress?.(total === 0 ? 0 : done / total)
  }
  signal?.addEventListener('abort', cancel, { once: true })
  const timer = onProgress && setInterval(report, progressIntervalMs)
  try {
    const built = await addon.buildShadow(path, bits === 'auto' ? 0 : bits, ticket)
    onProgress?.(1)
    return built
  } catch (error) {
    signal?.throwIfAborted()
    throw toNativeError(error)
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', cancel)
  }
}
