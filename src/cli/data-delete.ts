/** `synoptic data delete`: removes entries from the catalogue, by the path that writes of a server take. */
import { existsSync } from 'node:fs'
import { isDatasetName } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import { hasTextIds, integerOfTextId, isTextId } from '../data/catalogue/text-ids.js'
import type { EmbedSettings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import { mergeAll } from '../data/writes/merge-writes.js'
import { counted } from '../base/util/counted.js'
import type { Command } from './command.js'
import { parseWords } from './parse-words.js'
import { print, printError } from './print.js'

export const dataDelete: Command = {
  name: 'data delete',
  summary: 'Removes entries of a dataset by their ids.',
  help: `Usage: synoptic data delete [--device <device>] DATASET ID...

Unchanged texts keep their vectors. A running server finds the change after a reload (SIGHUP); to
change its catalogue while it runs, send DELETE /entries instead.

  --device <device>  auto, cpu, cuda or cuda:N, as in \`synoptic serve\`.

Example:
  synoptic data delete anime 5 2966`,
  run: (argv, settings) => run(argv, settings as EmbedSettings),
}

async function run(argv: readonly string[], settings: EmbedSettings): Promise<number> {
  const [dataset, ...words] = parseWords('data delete', argv, {}).positionals
  const asTexts = dataset !== undefined && hasTexts(settings.dataDir, dataset)
  const wrong = words.filter((word) => !(asTexts ? isTextId(word) : /^\d{1,15}$/.test(word)))
  if (dataset === undefined || !isDatasetName(dataset) || words.length === 0 || wrong.length > 0) {
    const received = [dataset ?? 'nothing', ...(wrong.length > 0 ? wrong : words)].join(' ')
    throw new SettingsError([`data delete: expected a dataset and ids, received ${received}`])
  }
  const ids = [...new Set(words.map(asTexts ? integerOfTextId : Number))]
  const { device } = settings
  const merged = await mergeAll(settings, { also: { kind: 'delete', dataset, ids }, device })
  const { deleted = 0, missing = 0, failures = [] } = merged.result ?? {}
  for (const { id, reason } of failures) printError(`error: ${dataset} ${id}: ${reason}\n`)
  const others = missing > 0 ? `; ${counted(missing, 'id is', 'ids are')} of no entry` : ''
  print(`${dataset}: ${counted(deleted, 'entry', 'entries')} deleted${others}\n`)
  return failures.length > 0 || deleted === 0 ? 1 : 0
}

/** @throws CatalogueError */
function hasTexts(dataDir: string, dataset: string): boolean {
  if (!existsSync(catalogueFile(dataDir))) return false
  const catalogue = openCatalogue(catalogueFile(dataDir))
  try {
    return hasTextIds(catalogue, dataset)
  } finally {
    catalogue.close()
  }
}
