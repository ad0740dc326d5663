/** Writes a file and puts it on disk. Errors name the file, which Node's lack where they go by a descriptor. */
import { open } from 'node:fs/promises'
import { nameFile } from './system-reason.js'

export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } catch (error) {
    throw nameFile(error, path)
  } finally {
    await file.close()
  }
}
