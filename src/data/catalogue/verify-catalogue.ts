/** Compares a catalogue's file with the hashes at its end. */
import { CatalogueError, NativeError } from '../../base/errors/index.js'
import type { CheckedFile } from '../../native/addon/checked-file.js'
import type { VerifyOptions } from '../../native/addon/verify.js'
import { openCatalogue } from './open-catalogue.js'

/** Reads all of it. Rejects with a CatalogueError where it is missing or damaged. */
export async function verifyCatalogue(file: string): Promise<void> {
  let checked: CheckedFile | undefined
  const catalogue = openCatalogue(file, { onOpened: (opened) => (checked = opened) })
  catalogue.close()
  try {
    if (checked !== undefined) await verifyPages(file, checked, { bytesPerSecond: unlimited })
  } finally {
    checked?.close()
  }
}

/** As fast as memory. */
export const unlimited = 2 ** 32 - 1

/** Returns the bytes that were read, none of an older catalogue; rejects with a CatalogueError. */
async function verifyPages(
  file: string,
  checked: CheckedFile,
  options: VerifyOptions,
): Promise<number> {
  try {
    return await checked.verify(options)
  } catch (error) {
    throw error instanceof NativeError ? damageOf(file, error) : error
  }
}

export function damageOf(file: string, cause: NativeError): CatalogueError {
  const problem = `the catalogue is damaged (${cause.found ?? cause.message})`
  return new CatalogueError('corrupt', file, problem, { cause })
}
