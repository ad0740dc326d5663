/** `synoptic data index`: builds the indexes of rows again. */
import { statSync } from 'node:fs'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import { rowIndexFile } from '../data/catalogue/row-indexes.js'
import type { Settings } from '../base/config/settings.js'
import { CatalogueError } from '../base/errors/index.js'
import { withBuildLock } from '../base/util/build-lock.js'
import { counted } from '../base/util/counted.js'
import { systemMessage } from '../base/util/system-reason.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'
import { print, printError } from './print.js'

export const dataIndex: Command = {
  name: 'data index',
  summary: 'Builds the indexes of rows again, which searches map.',
  help: `Usage: synoptic data index

Builds the files that full-text search needs next to the catalogue: after one was damaged, or for a
catalogue of an older version. An import builds them, too. Servers that run keep what they have open.

Example:
  synoptic data index`,
  run,
}

async function run(argv: readonly string[], settings: Settings): Promise<number> {
  parseOptions('data index', argv, {})
  const file = catalogueFile(settings.dataDir)
  try {
    const lines = await withBuildLock(file, () => Promise.resolve(buildAll(file)))
    if (lines === undefined) {
      printError(`error: another process writes ${file}\n`)
      return 1
    }
    print(lines.join(''))
    return 0
  } catch (error) {
    if (error instanceof CatalogueError) printError(`error: ${error.message}\n`)
    else if (error instanceof Error && 'code' in error) {
      printError(`error: the indexes cannot be written: ${systemMessage(error)}\n`)
    } else throw error
    return 1
  }
}

function buildAll(file: string): string[] {
  const catalogue = openCatalogue(file)
  try {
    return catalogue.datasets().map((info) => {
      catalogue.buildRowIndex(info.name)
      const megabytes = statSync(rowIndexFile(file, info)).size / 1e6
      return `${info.name}: ${counted(info.rows, 'entry', 'entries')}, ${megabytes.toFixed(1)} MB\n`
    })
  } finally {
    catalogue.close()
  }
}
