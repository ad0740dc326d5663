/**
 * The catalogue that is served, with a watch over its file: it is compared with its hashes before it is used,
 * again and again beside searches, and at once where a read fails or somebody writes into the file. What is
 * damaged answers nothing any more.
 */
import type { Catalogue } from '../catalogue/catalogue.js'
import { openCatalogue, type Integrity } from '../catalogue/open-catalogue.js'
import { damageOf, unlimited, verifyPages } from '../catalogue/verify-catalogue.js'
import { CatalogueError, NativeError } from '../errors/index.js'
import type { CheckedFile } from '../native/checked-file.js'
import type { Verifier } from '../index/verifier.js'

export interface WatchedCatalogue {
  readonly catalogue: Catalogue
  /** Whether it is out of service. Costs two system calls. */
  isDamaged(): boolean
  close(): void
}

export interface WatchOptions {
  readonly verifier: Verifier
  /** Gets what is wrong, once. */
  readonly warn?: ((message: string) => void) | undefined
}

/** A file that was written to and is still as it should be is read whole no more often than this. */
const suspicionPauseMs = 60_000

/** Rejects with a CatalogueError where there is none, or it is damaged. */
export async function openWatchedCatalogue(
  file: string,
  { verifier, warn }: WatchOptions,
): Promise<WatchedCatalogue> {
  let checked: CheckedFile | undefined
  const integrity: Integrity = { onOpened: (opened) => (checked = opened), onSuspicion: suspect }
  const catalogue = openCatalogue(file, integrity)
  const stop = new AbortController()
  let trustedUntilMs = -Infinity

  function close(): void {
    stop.abort()
    catalogue.close()
    checked?.close()
  }

  function takeOut(error: unknown): void {
    if (!(error instanceof CatalogueError) || integrity.fault !== undefined) return
    integrity.fault = error
    warn?.(error.message)
  }

  async function verify(bytesPerSecond: number): Promise<number> {
    if (checked === undefined) return 0
    return verifyPages(file, checked, { bytesPerSecond, signal: stop.signal })
  }

  function suspect(): void {
    if (performance.now() < trustedUntilMs) return
    trustedUntilMs = performance.now() + suspicionPauseMs
    verify(unlimited).catch((error: unknown) => {
      if (!stop.signal.aborted) takeOut(error)
    })
  }

  try {
    const bytes = await verify(unlimited)
    const hasHashes = bytes > 0
    verifier.watch(({ bytesPerSecond }) => verify(bytesPerSecond), stop.signal, takeOut)
    return {
      catalogue,
      isDamaged() {
        try {
          checked?.checkUnchanged()
        } catch (error) {
          if (hasHashes) suspect()
          else if (error instanceof NativeError) takeOut(damageOf(file, error))
        }
        return integrity.fault !== undefined
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}
