/** `synoptic data list`: lists the datasets of the catalogue. */
import type { DatasetInfo, Origin } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { Settings } from '../base/config/settings.js'
import { CatalogueError } from '../base/errors/index.js'
import { counted } from '../base/util/counted.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'
import { print, printError } from './print.js'

export const dataList: Command = {
  name: 'data list',
  summary: 'Lists the datasets of the catalogue with their versions, rows and columns.',
  help: `Usage: synoptic data list

Shows each dataset's columns, and the public data that it is made of with its licence. The version
is a hash of the dataset's rows and texts. Embeddings match one version only.

Example:
  synoptic data list`,
  run: (argv, settings) => Promise.resolve().then(() => run(argv, settings)),
}

function run(argv: readonly string[], settings: Settings): number {
  parseOptions('data list', argv, {})
  try {
    const catalogue = openCatalogue(catalogueFile(settings.dataDir))
    try {
      const describeOne = (info: DatasetInfo) => describe(info, catalogue.origins(info.name))
      print(catalogue.datasets().map(describeOne).join(''))
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

function describe(
  { name, version, rows, columns }: DatasetInfo,
  origins: readonly Origin[],
): string {
  return [
    `${name}: ${counted(rows, 'entry', 'entries')}, version ${version}`,
    ...columns.map((column) => `  ${column}`),
    ...origins.map((origin) => `  from ${origin.name} (${origin.url}), ${origin.licence}`),
    '',
  ].join('\n')
}
