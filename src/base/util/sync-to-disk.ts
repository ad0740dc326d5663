/** Flushes written data to disk. To flush a rename, flush its folder. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Windows cannot flush folders. */
const syncsFolders = process.platform !== 'win32'

export async function syncFolder(folder: string): Promise<void> {
  if (!syncsFolders) return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function syncFolderSync(folder: string): void {
  if (syncsFolders) syncSync(folder, 'r')
}

/** Opens the file for writing, because Windows does not flush a file that is open for reading. */
export function syncFileSync(file: string): void {
  syncSync(file, 'r+')
}

function syncSync(path: string, flags: string): void {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
