/** `synoptic data import`: data sets through mapping files into the catalogue. */
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { catalogueFile } from '../catalogue/open-catalogue.js'
import type { Settings } from '../config.js'
import { importDatasets, type ImportProgress } from '../datasets/import.js'
import { DataImportError } from '../errors/data-import-error.js'
import { SettingsError } from '../errors/settings-error.js'
import type { Command } from './command.js'
import { describeImport } from './data-import-report.js'

export const dataImport: Command = {
  name: 'data import',
  summary: 'Builds the catalogue from data sets, each described by a mapping file.',
  help: `Usage: synoptic data import [--from <folder>] MAPPING.json...

Replaces the datasets (anime, manga) that the mappings name and keeps the others. A dataset has
one base and any number of sources that are joined to it; name them all in one command. Rows that
cannot be used are reported and left out. A running server keeps the old catalogue until it is
started again, and a failed or killed import changes nothing.

  --from <folder>  Folder of the files that the mappings name; left out, each
                   mapping's own folder.

Examples:
  synoptic data import data/sample/anime.json data/sample/manga.json
  synoptic data import --from ~/datasets data/sources/anime4500.json data/sources/anime-data.json`,
  run,
}

async function run(argv: readonly string[], settings: Settings): Promise<number> {
  const { mappings, from } = readOptions(argv)
  const into = catalogueFile(settings.dataDir)
  const meter = createMeter()
  try {
    const summary = await importDatasets(mappings, { ...from, into, onProgress: meter.show })
    meter.stop()
    process.stdout.write(describeImport(summary, into))
    return 0
  } catch (error) {
    meter.stop()
    if (!(error instanceof DataImportError)) throw error
    process.stderr.write(`error: ${error.message}\nThe catalogue is as it was.\n`)
    return 1
  }
}

function readOptions(argv: readonly string[]) {
  const { values, positionals } = parse(argv)
  if (positionals.length === 0) {
    throw new SettingsError(['data import: expected a mapping file, received nothing'])
  }
  return { mappings: positionals, from: values.from === undefined ? {} : { from: values.from } }
}

function parse(argv: readonly string[]) {
  try {
    const options = { from: { type: 'string' } } as const
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new SettingsError([
      `data import: ${error instanceof Error ? error.message : String(error)}`,
    ])
  }
}

/** A bar on a terminal and nothing elsewhere. */
function createMeter() {
  const bar = new SingleBar({
    format: '{phase} [{bar}] {percentage}%',
    clearOnComplete: true,
    hideCursor: true,
  })
  let current: ImportProgress['phase'] | undefined
  const stop = () => {
    if (current !== undefined) bar.stop()
    current = undefined
  }
  const show = ({ phase, done, total }: ImportProgress) => {
    if (!process.stderr.isTTY) return
    if (phase !== current) {
      stop()
      current = phase
      bar.start(total, done, { phase: phase === 'read' ? 'Reading' : 'Writing' })
    } else {
      bar.update(done)
      // Writing holds the event loop, so the bar's own timer would not come to draw.
      bar.render()
    }
  }
  return { show, stop }
}
