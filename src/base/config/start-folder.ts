/** Where the folders of the program are by default. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalledPackage } from '../util/package-root.js'
import { userFolder } from './user-folder.js'

/**
 * In the current folder, as in a clone. A program that npm has installed may be called anywhere: it keeps to the user's
 * folder, unless the current one has a folder `data`.
 */
const folder = isInstalledPackage && !existsSync('data') ? userFolder() : undefined

export const byDefault = (name: string): string =>
  folder === undefined ? name : join(folder, name)
