/** `synoptic data pull anilist`: fetches the media of a dataset into a JSON lines file. Resumes after a kill. */
import { join } from 'node:path'
import { anilistSettingsHelp, openClient, type AnilistSettings } from '../anilist/command-line.js'
import { systemClock, type Clock } from '../util/clock.js'
import { entriesPerPage, pullMedia, type PullProgress, type PullSummary } from '../anilist/pull.js'
import { withBuildLock } from '../util/build-lock.js'
import { datasetNames, type DatasetName } from '../catalogue/catalogue.js'
import { SettingsError } from '../errors/settings-error.js'
import { UpstreamError } from '../errors/upstream-error.js'
import type { Command } from './command.js'
import { parseWords } from './parse-words.js'
import { print, printError } from './print.js'

/** AniList forbids mass collection, so the default is small. */
const defaultPages = 20

export const dataPull: Command = createDataPull(systemClock)

export function createDataPull(clock: Clock): Command {
  return {
    name: 'data pull',
    summary: 'Fetches anime or manga from AniList into a JSON lines file.',
    help: `Usage: synoptic data pull anilist --dataset <anime|manga> [--out <file>] [--pages <n|all>]

Fetches works in the order of their ids, ${entriesPerPage} on each page, about 30 pages a minute. To resume
a stopped pull, run the same command again. The file appears when the pull is complete. Import it with
data/sources/anilist-anime.json or data/sources/anilist-manga.json; the included works join it then.

AniList's terms forbid mass collection and use as a data store:
https://docs.anilist.co/guide/terms-of-use

  --dataset <name>         anime or manga.
  --out <file>             default anilist-<dataset>.jsonl in the data folder
  --pages <n|all>          Pages to fetch. The pages of a stopped pull count.
                           default ${defaultPages}
${anilistSettingsHelp}

Example:
  synoptic data pull anilist --dataset manga --pages 40`,
    run: (argv: readonly string[], settings: AnilistSettings) => run(argv, settings, clock),
  }
}

async function run(
  argv: readonly string[],
  settings: AnilistSettings,
  clock: Clock,
): Promise<number> {
  const { values, positionals } = parseWords('data pull', argv, {
    dataset: { type: 'string' },
    out: { type: 'string' },
    pages: { type: 'string' },
  })
  const { dataset, pages } = readOptions(positionals, values.dataset, values.pages)
  const path = values.out ?? join(settings.dataDir, `anilist-${dataset}.jsonl`)
  const progress = createProgressLine(dataset, pages)
  const { client, logger } = openClient(settings, clock, (line) => {
    progress.end()
    printError(`${line}\n`)
  })
  try {
    const summary = await withBuildLock(path, () =>
      pullMedia({ client, dataset, path, pages, logger, clock, onPage: progress.onPage }),
    )
    progress.end()
    if (summary === undefined) {
      printError(`error: another pull is writing ${path}; wait until it ends\n`)
      return 1
    }
    print(describe(summary, dataset, path))
    return 0
  } catch (error) {
    progress.end()
    if (!(error instanceof UpstreamError)) throw error
    printError(`error: ${error.message}\n`)
    printError('The pages so far are kept. To resume, run the same command again.\n')
    return 1
  }
}

function readOptions(
  positionals: readonly string[],
  dataset: string | undefined,
  pages: string | undefined,
): { dataset: DatasetName; pages: number } {
  const problems: string[] = []
  const [source, ...others] = positionals
  if (source !== 'anilist' || others.length > 0) {
    const received = positionals.length === 0 ? 'nothing' : JSON.stringify(positionals.join(' '))
    problems.push(`expected the source anilist, received ${received}`)
  }
  const name = datasetNames.find((allowed) => allowed === dataset)
  if (name === undefined) {
    const received = dataset === undefined ? 'nothing' : JSON.stringify(dataset)
    problems.push(`--dataset: expected ${datasetNames.join(' or ')}, received ${received}`)
  }
  const count = pages === 'all' ? Number.POSITIVE_INFINITY : Number(pages ?? defaultPages)
  if (pages !== undefined && pages !== 'all' && !/^[1-9]\d{0,5}$/.test(pages)) {
    problems.push(`--pages: expected 1 to 999999, or all, received ${JSON.stringify(pages)}`)
  }
  if (name === undefined || problems.length > 0) {
    throw new SettingsError(problems.map((problem) => `data pull: ${problem}`))
  }
  return { dataset: name, pages: count }
}

/** On a terminal one line that is overwritten; otherwise a line every ten pages. */
function createProgressLine(dataset: DatasetName, pages: number) {
  const of = Number.isFinite(pages) ? ` of ${pages}` : ''
  let isLineOpen = false
  return {
    onPage: ({ page, entries }: PullProgress) => {
      const text = `page ${page}${of}: ${entries} ${dataset}`
      if (process.stderr.isTTY) process.stderr.write(`\r${text}`)
      else if (page % 10 === 0) printError(`${text}\n`)
      isLineOpen = process.stderr.isTTY
    },
    end: () => {
      if (isLineOpen) printError('\n')
      isLineOpen = false
    },
  }
}

function describe(summary: PullSummary, dataset: DatasetName, path: string): string {
  const { entries, page, resumedPages, hasMore } = summary
  const earlier = resumedPages > 0 ? `, ${resumedPages} of them from an earlier run,` : ''
  const more = hasMore ? 'AniList has more pages; --pages sets how many to fetch.\n' : ''
  return `${entries} ${dataset} from ${page} ${page === 1 ? 'page' : 'pages'}${earlier} are in ${path}\n${more}`
}
