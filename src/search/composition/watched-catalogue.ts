/**
 * The catalogue that is served, with a watch over its file and its indexes of rows: they are compared with their hashes
 * before they are used, again and again while searches run, and at once where a read fails or somebody writes into them.
 * An index that is damaged at the start is built again. What is damaged later answers nothing any more.
 */
import { existsSync, rmSync } from 'node:fs'
import type { Catalogue } from '../../data/catalogue/catalogue.js'
import { openCatalogue, type Integrity } from '../../data/catalogue/open-catalogue.js'
import { rowIndexDamage, rowIndexFile } from '../../data/catalogue/row-indexes.js'
import { damageOf, unlimited } from '../../data/catalogue/verify-catalogue.js'
import { CatalogueError, NativeError } from '../../base/errors/index.js'
import type { CheckedFile } from '../../native/addon/checked-file.js'
import { openHashed } from '../../native/addon/hashed-file.js'
import type { VerifyOptions } from '../../native/addon/verify.js'
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

/** A file that is open, and what is wrong where its blocks differ from their hashes. */
interface Watched {
  readonly checked: CheckedFile
  readonly damage: (cause: NativeError) => CatalogueError
}

/** Rejects with a CatalogueError where there is none, or it is damaged. */
export async function openWatchedCatalogue(
  file: string,
  { verifier, warn }: WatchOptions,
): Promise<WatchedCatalogue> {
  const watched: Watched[] = []
  const damage = (cause: NativeError) => damageOf(file, cause)
  const onOpened = (checked: CheckedFile) => watched.push({ checked, damage })
  const integrity: Integrity = { onOpened, onSuspicion: suspect }
  const catalogue = openCatalogue(file, integrity)
  const stop = new AbortController()
  let trustedUntilMs = -Infinity

  function close(): void {
    stop.abort()
    catalogue.close()
    for (const { checked } of watched) checked.close()
  }

  function takeOut(error: unknown): void {
    if (!(error instanceof CatalogueError) || integrity.fault !== undefined) return
    integrity.fault = error
    warn?.(error.message)
  }

  async function verifyAll(bytesPerSecond: number): Promise<number> {
    let bytes = 0
    for (const one of watched) bytes += await verify(one, { bytesPerSecond, signal: stop.signal })
    return bytes
  }

  function suspect(): void {
    if (performance.now() < trustedUntilMs) return
    trustedUntilMs = performance.now() + suspicionPauseMs
    verifyAll(unlimited).catch((error: unknown) => {
      if (!stop.signal.aborted) takeOut(error)
    })
  }

  try {
    const hasHashes = (await verifyAll(unlimited)) > 0
    for (const info of catalogue.datasets()) {
      const path = rowIndexFile(file, info)
      await removeDamaged(path, warn)
      catalogue.openRowIndex(info.name)
      const checked = existsSync(path) ? openHashed(path) : undefined
      if (checked !== undefined) watched.push({ checked, damage: rowIndexDamage })
    }
    verifier.watch(({ bytesPerSecond }) => verifyAll(bytesPerSecond), stop.signal, takeOut)
    return {
      catalogue,
      isDamaged() {
        try {
          for (const { checked } of watched) checked.checkUnchanged()
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

/** Returns the bytes that were read, none of an older catalogue; rejects with a CatalogueError. */
async function verify({ checked, damage }: Watched, options: VerifyOptions): Promise<number> {
  try {
    return await checked.verify(options)
  } catch (error) {
    throw error instanceof NativeError ? damage(error) : error
  }
}

/** Removes the file of an index that is not as it was written: the catalogue builds it again. */
async function removeDamaged(path: string, warn: WatchOptions['warn']): Promise<void> {
  if (!existsSync(path)) return
  const checked = openHashed(path)
  try {
    if (checked === undefined) throw rowIndexDamage(noHashes(path))
    await verify({ checked, damage: rowIndexDamage }, { bytesPerSecond: unlimited })
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    warn?.(`${error.file}: ${error.problem}; it is built again`)
    try {
      rmSync(path)
    } catch {
      throw error
    }
  } finally {
    checked?.close()
  }
}

const noHashes = (file: string) =>
  new NativeError('EFILE_DAMAGED', 'the hashes at its end are missing', { file })
