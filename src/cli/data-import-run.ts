/** Shared by `data import` and `data merge`: an option, the import with a progress bar, and the report. */
import { SingleBar } from 'cli-progress'
import { catalogueFile } from '../data/catalogue/open-catalogue.js'
import type { ImportSettings } from '../base/config/settings.js'
import {
  importDatasets,
  type ImportOptions,
  type ImportProgress,
  type ImportSummary,
} from '../data/datasets/import.js'
import { workKinds } from '../base/config/work-kinds.js'
import { CatalogueError, DataImportError } from '../base/errors/index.js'
import { mergeAll, needsMerge } from '../data/writes/merge-writes.js'
import { describeImport, suspectSources } from './data-import-report.js'
import { barSize } from './bar-size.js'
import { print, printError } from './print.js'

export const leaveOutHelp = `  --leave-out <list>  Kinds of works to exclude after the sources are joined: ${workKinds.join(', ')}.
                      default none
  --works <on|off>    Whether the included works (data/works) add facts, tags, other titles and a
                      column of descriptions to your works. They change nothing that a source
                      says, and add no works.
                      default on`

export interface RunOptions extends Pick<
  ImportOptions,
  'from' | 'firstIsBase' | 'leastWorks' | 'stateOf' | 'update'
> {
  readonly onImported?: (summary: ImportSummary) => void
  /** Whether the files are the user's own, so that most of their rows should have a title and a text. */
  readonly isOwn?: boolean
}

/** Resolves to the exit status. */
export async function runImport(
  mappings: readonly string[],
  { onImported, isOwn = false, ...options }: RunOptions,
  settings: ImportSettings,
): Promise<number> {
  const into = catalogueFile(settings.dataDir)
  const progressBar = createProgressBar()
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt)
  try {
    const leaveOut = workKinds.filter((kind) => settings.leaveOut.includes(kind))
    const onProgress = progressBar.show
    const works = settings.works === 'on'
    const all = { ...options, into, leaveOut, works, onProgress, signal: interrupted.signal }
    await mergePending(settings)
    const summary = await importDatasets(mappings, all)
    progressBar.stop()
    print(describeImport(summary, into))
    onImported?.(summary)
    if (interrupted.signal.aborted) print(tooLate)
    const suspects = isOwn ? suspectSources(summary) : []
    if (suspects.length === 0) return 0
    printError(
      `\nWARNING: the import is done, but it looks wrong.\n  ${suspects.join('\n  ')}\n${checkMapping}`,
    )
    return suspectStatus
  } catch (error) {
    progressBar.stop()
    if (interrupted.signal.aborted) {
      printError('Stopped. The catalogue is unchanged, and no temporary file is left.\n')
      return interruptedStatus
    }
    if (!(error instanceof DataImportError)) throw error
    printError(`error: ${error.message}\nThe catalogue is unchanged.\n`)
    return 1
  } finally {
    process.off('SIGINT', interrupt)
  }
}

/** Writes that a server has answered come before what this import says. A damaged catalogue takes none: an import repairs it. */
async function mergePending(settings: ImportSettings): Promise<void> {
  if (!needsMerge(settings.dataDir)) return
  try {
    await mergeAll(settings)
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
  }
}

/** As shells say it of a program that SIGINT ended. */
const interruptedStatus = 130
/** The catalogue is written, and probably not what the user wants. */
const suspectStatus = 2
const checkMapping =
  'Check what was read above, or write a mapping with `synoptic data init FILE`.\n'
const tooLate = 'Ctrl-C came while the catalogue was being written; the import is complete.\n'

/** Draws on a terminal only. */
function createProgressBar() {
  const bar = new SingleBar({
    format: '{phase} [{bar}] {percentage}%',
    barsize: barSize('Reading [] 100%'.length),
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
      // Writing blocks the event loop, so the bar's own timer does not fire.
      bar.render()
    }
  }
  return { show, stop }
}
