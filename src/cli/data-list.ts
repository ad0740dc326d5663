/** `synoptic data list`: lists the datasets of the catalogue. */
import type { DatasetInfo } from '../catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import type { Settings } from '../config/settings.js'
import { CatalogueError } from '../errors/catalogue-error.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'
import { print, printError } from './print.js'

export const dataList: Command = {
  name: 'data list',
  summary: 'Lists the datasets of the catalogue with their versions, rows and columns.',
  help: `Usage: synoptic data list

The version is a hash of the dataset's rows and texts. Embeddings match one version only.

Example:
  synoptic data list`,
  run: (argv, settings) => Promise.resolve().then(() => run(argv, settings)),
}

function run(argv: readonly string[], settings: Settings): number {
  parseOptions('data list', argv, {})
  try {
    const catalogue = openCatalogue(catalogueFile(settings.dataDir))
    try {
      print(catalogue.datasets().map(describe).join(''))
    } finally {
      catalogue.close()
    }
    return 0
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    printError(`error: ${error.message}\n`)
    return 1
  }
}

function describe({ name, version, rows, columns }: DatasetInfo): string {
  return [
    `${name}: ${rows} entries, version ${version}`,
    ...columns.map((column) => `  ${column}`),
    '',
  ].join('\n')
}
