/** What `data import` and `data merge` share: their words, the import with a bar, and its report. */
import { SingleBar } from 'cli-progress'
import { catalogueFile } from '../catalogue/open-catalogue.js'
import type { ImportSettings } from '../config/settings.js'
import { importDatasets, type ImportOptions, type ImportProgress } from '../datasets/import.js'
import { workKinds } from '../config/work-kinds.js'
import { DataImportError } from '../errors/data-import-error.js'
import { describeImport } from './data-import-report.js'

export const leaveOutHelp = `  --leave-out <list>  Works to leave out once all sources are joined: ${workKinds.join(', ')}.
                      default none`

/** Answers the exit status. */
export async function runImport(
  mappings: readonly string[],
  options: Pick<ImportOptions, 'from' | 'firstIsBase'>,
  settings: ImportSettings,
): Promise<number> {
  const into = catalogueFile(settings.dataDir)
  const meter = createMeter()
  try {
    const leaveOut = workKinds.filter((kind) => settings.leaveOut.includes(kind))
    const onProgress = meter.show
    const summary = await importDatasets(mappings, { ...options, into, leaveOut, onProgress })
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
