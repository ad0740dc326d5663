/**
 * Folders on the way to what is written. Node's `recursive` never returns where a folder cannot have
 * children (below /proc, or behind a link that leads nowhere): it takes ENOENT for a parent that is
 * missing, finds it there, and tries again for ever.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes the folder and those above it, where they are not there. @throws what making one of them throws */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it just now.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
