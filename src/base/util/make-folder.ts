/**
 * Creates a folder and its parents. Node's `recursive` option never returns if a folder cannot have children
 * (below /proc, or behind a broken link): it takes ENOENT for a missing parent, finds the parent, and tries
 * again for ever.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates the folder and its missing parents. @throws what `mkdirSync` throws */
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
