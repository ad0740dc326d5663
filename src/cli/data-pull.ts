/** `synoptic data pull anilist`: fetches the media of a dataset into a JSON lines file. Resumes after a kill. */
import { join } from 'node:path'
import {
  anilistSettingsHelp,
  openClient,
  type AnilistSettings,
} from '../data/anilist/command-line.js'
import { systemClock, type Clock } from '../base/util/clock.js'
import {
  entriesPerPage,
  pullMedia,
  type PullProgress,
  type PullSummary,
} from '../data/anilist/pull.js'
import type { FileEntry } from '../data/anilist/list-text.js'
import { readPublicList } from '../data/anilist/public-list.js'
import { withBuildLock } from '../base/util/build-lock.js'
import type { DatasetName } from '../data/catalogue/catalogue.js'
import { UpstreamError } from '../base/errors/index.js'
import type { Command } from './command.js'
import { maxBestKnown, maxIds, readPullOptions } from './data-pull-options.js'
import { parseWords } from './parse-words.js'
import { print, printError } from './print.js'

export const dataPull: Command = createDataPull(systemClock)

export function createDataPull(clock: Clock): Command {
  return {
    name: 'data pull',
    summary: 'Fetches anime or manga from AniList into a JSON lines file.',
    help: `Usage: synoptic data pull anilist --dataset <anime|manga> [--out <file>]
                                (--user <name> | --ids <list> | --best-known <n>)

AniList's terms forbid mass collection and use as a data store, so this fetches what they allow: the
works on a person's lists, single works, or the best-known ${maxBestKnown} at most. For whole catalogues use
\`synoptic data update\`. The terms: https://docs.anilist.co/guide/terms-of-use

Works come ${entriesPerPage} on each page, about 30 pages a minute. To resume a stopped pull, run the same
command again. The file appears when the pull is complete. Import it with the mapping
data/sources/anilist-anime.json or data/sources/anilist-manga.json; the included works join then.

  --dataset <name>         anime or manga.
  --out <file>             File to write.
                           default anilist-<dataset>.jsonl in the data folder
  --user <name>            The works on the public lists of that user.
  --ids <list>             The works with these ids of AniList, separated by commas, ${maxIds} at most.
  --best-known <n>         The n works that most users know, 1 to ${maxBestKnown}.
${anilistSettingsHelp}

Example:
  synoptic data pull anilist --dataset manga --user Somebody`,
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
    user: { type: 'string' },
    ids: { type: 'string' },
    'best-known': { type: 'string' },
  })
  const { dataset, selection } = readPullOptions(positionals, values)
  const path = values.out ?? join(settings.dataDir, `anilist-${dataset}.jsonl`)
  const progress = createProgressLine(dataset)
  const { client, logger } = openClient(settings, clock, (line) => {
    progress.end()
    printError(`${line}\n`)
  })
  try {
    const summary = await withBuildLock(path, async () => {
      printError(
        'AniList allows personal, non-commercial use; what is fetched is not a data store.\n',
      )
      const ids =
        selection.user === undefined
          ? selection.ids
          : idsOf(await readPublicList(client, dataset, selection.user))
      const pages = Math.ceil((ids?.length ?? selection.bestKnown) / entriesPerPage)
      const { onPage } = progress
      const { bestKnown: limit } = selection
      return pullMedia({ client, dataset, path, pages, ids, limit, logger, clock, onPage })
    })
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

/** In ascending order, so that a pull that is repeated resumes. */
const idsOf = (entries: readonly Pick<FileEntry, 'mediaId'>[]): readonly number[] =>
  entries.flatMap(({ mediaId }) => mediaId ?? []).sort((one, other) => one - other)

/** On a terminal one line that is overwritten; otherwise a line every ten pages. */
function createProgressLine(dataset: DatasetName) {
  let isLineOpen = false
  return {
    onPage: ({ page, entries }: PullProgress) => {
      const text = `page ${page}: ${entries} ${dataset}`
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
  const { entries, page, resumedPages } = summary
  const earlier = resumedPages > 0 ? `, ${resumedPages} of them from an earlier run,` : ''
  return `${entries} ${dataset} from ${page} ${page === 1 ? 'page' : 'pages'}${earlier} are in ${path}\n`
}
