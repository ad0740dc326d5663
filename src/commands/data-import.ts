/** `synoptic data import`: data sets through mapping files into the catalogue. */
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { catalogueFile } from '../catalogue/open-catalogue.js'
import type { ImportSettings } from '../config.js'
import { importDatasets, type ImportProgress } from '../datasets/import.js'
import { workKinds } from '../datasets/leave-out.js'
import { DataImportError } from '../errors/data-import-error.js'
import { SettingsError } from '../errors/settings-error.js'
import type { Command } from './command.js'
import { describeImport } from './data-import-report.js'

export const dataImport: Command = {
  name: 'data import',
  summary: 'Builds the catalogue from data sets, each described by a mapping file.',
  help: `Usage: synoptic data import [--from <folder>] [--leave-out <list>] MAPPING.json...

Replaces the datasets (anime, manga) that the mappings name and keeps the others. A dataset has
one base and any number of sources that are joined to it, in the order in which they are named: by
id, or by title where type and year do not speak against it. Name them all in one command. Rows
that cannot be used, and what was joined or kept apart for which reason, are reported. A running
server keeps the old catalogue until it is started again, and a failed or killed import changes
nothing.

  --from <folder>     Folder of the files that the mappings name; left out, each
                      mapping's own folder.
  --leave-out <list>  Works to leave out once all sources are joined: ${workKinds.join(', ')}.
                      default none

Examples:
  synoptic data import data/sample/anime.json data/sample/manga.json
  synoptic data import --from ~/datasets --leave-out adult,music data/sources/anime/*.json`,
  run,
}

async function run(argv: readonly string[], settings: ImportSettings): Promise<number> {
  const { mappings, from } = readOptions(argv)
  const into = catalogueFile(settings.dataDir)
  const meter = createMeter()
  try {
    const leaveOut = workKinds.filter((kind) => settings.leaveOut.includes(kind))
    const onProgress = meter.show
    const summary = await importDatasets(mappings, { ...from, into, leaveOut, onProgress })
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
