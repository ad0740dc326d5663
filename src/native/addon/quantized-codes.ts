/**
 * Quantized codes: small copies next to their matrices (`x.npy.q8`, `x.npy.q4`) that rule rows out, so
 * that a search reads a quarter to an eighth of the bytes and the result stays exact. A collection
 * uses those it finds when it opens.
 */
import { NativeError } from '../../base/errors/index.js'
import { loadAddon, toNativeError } from './addon.js'

export interface CodesOptions {
  /** Bits a dimension; `auto` (default) measures which is fastest, and none may be. */
  readonly bits?: 4 | 8 | 'auto'
  /** Aborting removes what was written; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** From 0 to 1, a few times a second. */
  readonly onProgress?: (share: number) => void
}

export interface BuiltCodes {
  /** 4, 8 or 0: the matrix is better off without codes. */
  readonly bits: number
  readonly bytes: number
  /** Rows that a search for ten is expected to score exactly. */
  readonly predictedCandidates: number
}

const progressIntervalMs = 100
let lastTicket = 0

/** Makes the quantized codes of a `.npy` matrix and replaces older ones, in one step. */
export async function buildCodes(path: string, options: CodesOptions = {}): Promise<BuiltCodes> {
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
  const cancel = (): void => addon.cancelCodes(ticket)
  const report = (): void => {
    const [done, total] = addon.codesProgress(ticket)
    onProgress?.(total === 0 ? 0 : done / total)
  }
  signal?.addEventListener('abort', cancel, { once: true })
  const timer = onProgress && setInterval(report, progressIntervalMs)
  try {
    const built = await addon.buildCodes(path, bits === 'auto' ? 0 : bits, ticket)
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
