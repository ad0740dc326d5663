/** `synoptic search`: one search from the command line, without a server. */
import { existsSync } from 'node:fs'
import { shownId } from '../data/catalogue/text-ids.js'
import { expectedName, isDatasetName, type DatasetName } from '../data/catalogue/catalogue.js'
import { catalogueFile } from '../data/catalogue/open-catalogue.js'
import { openSearch, type OpenSearch } from '../search/composition/open-search.js'
import type { McpSettings } from '../base/config/mcp-settings.js'
import { DatasetMissingError, SettingsError } from '../base/errors/index.js'
import { openLog } from '../base/observability/log.js'
import { requireSearchEncoder } from '../search/composition/require-search-encoder.js'
import { setScanThreads } from '../native/scheduling/threads.js'
import type { RankedResult } from '../search/service/ranked-search.js'
import { prepareFirstStart } from '../server/serve/first-start.js'
import type { Command } from './command.js'
import { parseWords } from './parse-words.js'
import { print, printError } from './print.js'
import { stopOnSignal } from './stop-on-signal.js'

const maxResults = 100
const firstSearch = 'The first search imports the included works, which takes up to a minute.\n'
/** What a server logs while it starts would hide the answer. */
const quiet = (level: McpSettings['logLevel']) => (level === 'info' ? 'warn' : level)

export const search: Command = {
  name: 'search',
  summary: 'Searches once, without a server, and prints what fits best.',
  help: `Usage: synoptic search "DESCRIPTION" [--dataset <name>] [--results <n>] [--json]

Finds works by a description, a title or a request, as the page of \`synoptic serve\` does. The first
call imports the included works, which takes some seconds.

  --dataset <name>  anime, manga or a dataset of your own; several with commas between them.
                    default all that the catalogue has
  --results <n>     Works of each dataset, 1 to ${maxResults}.
                    default 5
  --json            Prints one JSON object a line instead of a table.

Examples:
  synoptic search "a student finds a notebook that kills anyone whose name is written in it"
  synoptic search --dataset manga --results 10 "like Mushishi but darker"`,
  run: (argv, settings) => run(argv, settings as McpSettings),
}

async function run(argv: readonly string[], own: McpSettings): Promise<number> {
  const { query, chosen, count, asJson } = readOptions(argv)
  const settings = { ...own, workers: 1 }
  if (!existsSync(catalogueFile(own.dataDir))) printError(firstSearch)
  const log = await openLog({ level: quiet(own.logLevel), file: own.logFile })
  const { signal, forget } = stopOnSignal()
  try {
    await requireSearchEncoder(settings)
    await prepareFirstStart(settings, log.logger)
    setScanThreads(settings)
    const opened = await openSearch(settings)
    try {
      const found = await searchAll(opened, { query, chosen, count, adult: own.adult, signal })
      print(asJson ? asJsonLines(found) : asTables(found))
      return found.some(({ results }) => results.length > 0) ? 0 : 1
    } finally {
      await opened.close()
    }
  } finally {
    forget()
    await log.close()
  }
}

function readOptions(argv: readonly string[]) {
  const { values, positionals } = parseWords('search', argv, {
    dataset: { type: 'string', default: 'all' },
    results: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  })
  const query = positionals.join(' ').trim()
  const count = Number(values.results)
  const isAll = ['all', 'both'].includes(values.dataset)
  const chosen = isAll ? undefined : values.dataset.split(',')
  const problems = [
    ...(query === '' ? ['name what to search for: synoptic search "a boy and his robot"'] : []),
    ...(chosen === undefined || chosen.every(isDatasetName)
      ? []
      : [`--dataset: expected ${expectedName}, or all, received ${values.dataset}`]),
    ...(Number.isInteger(count) && count >= 1 && count <= maxResults
      ? []
      : [`--results: expected a whole number from 1 to ${maxResults}, received ${values.results}`]),
  ]
  if (problems.length > 0) throw new SettingsError(problems.map((problem) => `search: ${problem}`))
  return { query, chosen, count, asJson: values.json }
}

interface Found {
  readonly dataset: DatasetName
  readonly results: readonly RankedResult[]
}

interface SearchOptions {
  readonly query: string
  /** All that the catalogue has where absent. */
  readonly chosen: readonly DatasetName[] | undefined
  readonly count: number
  readonly adult: McpSettings['adult']
  readonly signal: AbortSignal
}

async function searchAll(
  { catalogue, ranked }: OpenSearch,
  { query, chosen, count, adult, signal }: SearchOptions,
): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const dataset of chosen ?? catalogue.datasets().map(({ name }) => name)) {
    if (catalogue.dataset(dataset) === undefined) throw new DatasetMissingError(dataset)
    const request = {
      dataset,
      query,
      numResults: count,
      batchSize: 32,
      candidates: 100,
      includeLightNovels: true,
      ...(adult === 'exclude' && { filter: { adult: false } }),
    }
    const { results } = await ranked.ranked(request, signal)
    found.push({ dataset, results })
  }
  return found
}

const asJsonLines = (found: readonly Found[]) =>
  found
    .flatMap(({ dataset, results }) =>
      results.map(({ title, score, synopsis, entry }) => {
        const { type, year, genres } = entry
        const facts = { title, score, type, year, genres, synopsis }
        return JSON.stringify({ dataset, id: shownId(entry), ...facts })
      }),
    )
    .map((line) => `${line}\n`)
    .join('')

function asTables(found: readonly Found[]): string {
  return found
    .map(({ dataset, results }) => {
      const rows = results.map((result, at) => {
        const { title, score, synopsis, entry } = result
        const about = [entry.type, entry.year].filter((one) => one !== null).join(', ')
        return `${String(at + 1).padStart(3)}  ${score.toFixed(2)}  ${title}${about === '' ? '' : ` (${about})`}\n           ${shortened(synopsis)}`
      })
      return [dataset, ...rows].join('\n')
    })
    .map((table) => `${table}\n`)
    .join('\n')
}

/** As much as fits a line of a terminal. */
function shortened(text: string): string {
  const width = Math.max(40, (process.stdout.columns || 100) - 12)
  const line = text.replace(/\s+/g, ' ')
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`
}
