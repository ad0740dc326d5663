/** Where the program lies, and whether that is a package that npm has installed. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with package.json: the code runs from dist/, which is one or more folders below it. */
export const packageRoot: string = findRoot()

/** As a dependency, for all users (`npm install --global`) or by npx; false in a clone. */
export const isInstalledPackage: boolean = /[\\/]node_modules[\\/]/.test(packageRoot)

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) {
    folder = dirname(folder)
  }
  return folder
}
