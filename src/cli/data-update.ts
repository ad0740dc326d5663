/** `synoptic data update`: fetches public dumps, imports and embeds them, and reloads running servers. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { UpdateSettings } from '../base/config/settings.js'
import {
  publicDumps,
  refreshDump,
  type KeptDump,
  type PublicDump,
} from '../data/datasets/public-dumps.js'
import { SettingsError, UpstreamError } from '../base/errors/index.js'
import { withBuildLock } from '../base/util/build-lock.js'
import { servingProcesses } from '../base/util/serving-processes.js'
import type { Command } from './command.js'
import { leaveOutHelp, runImport } from './data-import-run.js'
import { changedDumps, foreignDatasets, leastWorks, stateOf } from './data-update-changes.js'
import { embedStale } from './embed-stale.js'
import { parseWords } from './parse-words.js'
import { print, printError } from './print.js'
import { createPullProgressBar } from './pull-progress.js'
import { stopOnSignal } from './stop-on-signal.js'

const names = publicDumps.map(({ name }) => name)

export const dataUpdate: Command = {
  name: 'data update',
  summary: 'Fetches whole public catalogues, imports and embeds them, and reloads running servers.',
  help: `Usage: synoptic data update [--from <list>] [--mirror <url>] [--replace] [--leave-out <list>]
                            [--works <on|off>] [--device <device>] [--allow-shrink]

Fetches the dumps that their makers offer for download, imports them with the included works,
encodes their texts with every model that had embeddings, and reloads the servers of the data folder
on this machine. What has not changed is neither fetched nor imported again. To resume a stopped
update, run the same command again. The dumps stay in the folder downloads of the data folder.

  anime-offline-database  40,000 anime without texts, 60 MB, new every week. ODbL 1.0: name it, and
                          publish what you make of it under the same licence.
  mangabaka               Manga, novels, manhwa and manhua with texts, new every night.
                          CC BY-NC-SA 4.0: name it, no commercial use, the same licence.

  --from <list>       Which of them: ${names.join(', ')}.
                      default all
  --mirror <url>      Folder of a mirror that has their files under the same names.
  --replace           Also replaces datasets that you imported from other files.
${leaveOutHelp}
  --allow-shrink      Also imports a dump that has lost more than a tenth of its works. Without it such
                      a dump is refused, because it is probably cut off.
  --device <device>   auto, cpu, cuda or cuda:N, as in \`synoptic serve\`.

Example:
  synoptic data update --from anime-offline-database`,
  run,
}

async function run(argv: readonly string[], settings: UpdateSettings): Promise<number> {
  const options = readOptions(argv)
  const folder = join(settings.dataDir, 'downloads')
  const stop = stopOnSignal()
  try {
    const status = await withBuildLock(join(folder, 'update'), () =>
      update(options, settings, folder, stop.signal),
    )
    if (status !== undefined) return status
    printError(`error: another update of ${settings.dataDir} is running; wait until it ends\n`)
    return 1
  } catch (error) {
    if (stop.signal.aborted) {
      printError('Stopped. To resume, run the same command again.\n')
      return 130
    }
    if (!(error instanceof UpstreamError)) throw error
    printError(`error: ${error.message}\nThe catalogue is unchanged.\n`)
    return 1
  } finally {
    stop.forget()
  }
}

interface UpdateOptions {
  readonly dumps: readonly PublicDump[]
  readonly mirror: string | undefined
  readonly replace: boolean
  readonly allowShrink: boolean
}

async function update(
  { dumps, mirror, replace, allowShrink }: UpdateOptions,
  settings: UpdateSettings,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  const foreign = replace ? [] : foreignDatasets(settings.dataDir, dumps)
  if (foreign.length > 0) {
    const what = foreign.join(' and ')
    printError(`error: ${what} was imported from files of your own; --replace replaces it\n`)
    return 1
  }
  for (const { origin } of dumps) {
    print(`${origin.name}: ${origin.licence} (${origin.licenceUrl})\n  ${origin.attribution}\n`)
  }
  const kept: KeptDump[] = []
  for (const dump of dumps) kept.push(await fetchDump(dump, folder, mirror, signal))
  const changed = changedDumps(kept, settings)
  const unfinished = join(folder, 'unfinished')
  const wasUnfinished = existsSync(unfinished)
  signal.throwIfAborted()
  if (changed.length > 0) {
    const paths = changed.map(({ path }) => path)
    const least = allowShrink ? undefined : leastWorks(changed, settings)
    const options = { stateOf: stateOf(changed, settings), leastWorks: least }
    // From here on servers have to reload, whatever happens to this run.
    writeFileSync(unfinished, '')
    const status = await runImport(paths, options, settings)
    if (status !== 0) {
      if (!wasUnfinished) rmSync(unfinished, { force: true })
      return status
    }
  }
  const embedded = await embedStale(settings, new Set(dumps.map(({ dataset }) => dataset)))
  if (embedded.status !== 0) return embedded.status
  if (changed.length === 0 && !embedded.isNew && !wasUnfinished) print('Nothing has changed.\n')
  else reload(settings.dataDir)
  rmSync(unfinished, { force: true })
  return 0
}

async function fetchDump(
  dump: PublicDump,
  folder: string,
  mirror: string | undefined,
  signal: AbortSignal,
): Promise<KeptDump> {
  const bar = createPullProgressBar(dump.name)
  try {
    const kept = await refreshDump(dump, folder, {
      mirror,
      signal,
      onRetry: bar.retry,
      onProgress: (doneBytes, total) =>
        bar.show({ file: dump.file, doneBytes, totalBytes: total ?? doneBytes }),
    })
    bar.close()
    const megabytes = `${(kept.bytes / 1e6).toFixed(1)} MB`
    print(`${dump.name}: ${kept.isNew ? 'fetched' : 'unchanged'}, ${megabytes} in ${kept.path}\n`)
    return kept
  } finally {
    bar.close()
  }
}

function reload(dataDir: string): void {
  const pids = servingProcesses(dataDir)
  for (const pid of pids) {
    process.kill(pid, 'SIGHUP')
    print(`The server with process id ${pid} reloads.\n`)
  }
  if (pids.length > 0) return
  print(
    'No server of this data folder runs here. One elsewhere reloads on SIGHUP: kill -HUP <pid>\n',
  )
}

function readOptions(argv: readonly string[]): UpdateOptions {
  const { values, positionals } = parseWords('data update', argv, {
    from: { type: 'string' },
    mirror: { type: 'string' },
    replace: { type: 'boolean' },
    'allow-shrink': { type: 'boolean' },
  })
  const {
    from = names.join(),
    mirror,
    replace = false,
    'allow-shrink': allowShrink = false,
  } = values
  const wanted = from.split(',').map((name) => name.trim())
  const unknown = wanted.filter((name) => !names.includes(name))
  const isAddress = mirror === undefined || /^https?:\/\/[^/]/.test(mirror)
  const problems = [
    ...(positionals.length === 0 ? [] : [`expected options, received ${positionals.join(' ')}`]),
    ...unknown.map(
      (name) => `--from: expected ${names.join(', ')}, received ${JSON.stringify(name)}`,
    ),
    ...(isAddress && URL.canParse(mirror ?? 'http://a')
      ? []
      : ['--mirror: expected an http(s) address']),
  ]
  if (problems.length > 0) throw new SettingsError(problems.map((text) => `data update: ${text}`))
  const dumps = publicDumps.filter(({ name }) => wanted.includes(name))
  return { dumps, mirror, replace, allowShrink }
}
