/** `synoptic ranker fit`: fits the ranker's weights to queries whose answers are known. */
import { existsSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import type { EvalSettings } from '../base/config/settings.js'
import { expectedName, isDatasetName } from '../data/catalogue/catalogue.js'
import { openSearch } from '../search/composition/open-search.js'
import { SettingsError } from '../base/errors/index.js'
import { describeComparison } from '../search/eval/fit-report.js'
import { fitWeights, gather, type Gathered } from '../search/eval/fit-weights.js'
import { groupByColumn } from '../search/eval/measure-kinds.js'
import { requireSearchEncoder } from '../search/composition/require-search-encoder.js'
import { replaceFile } from '../base/util/replace-file.js'
import type { Command } from './command.js'
import { createEvalProgressBar } from './eval-progress.js'
import { ownProcess } from './eval.js'
import { readQueryFile } from './eval-queries.js'
import { parseOptions } from './parse-words.js'
import { print } from './print.js'

export const rankerFit: Command = {
  name: 'ranker fit',
  summary: 'Fits the weights of titles, facts and likeness to your own queries.',
  help: `Usage: synoptic ranker fit --queries <file> [--dataset <name>] [--output <file>]

Fits how much titles, facts, likeness, exclusions and popularity count in /search to queries whose
answers are known: a file as \`synoptic eval --queries\` reads it, of at least 300 queries, such as
the lines that \`synoptic serve --feedback\` keeps. One half of the queries fits the weights, and the
other half judges them; both are printed. Weights that are no better on the half that judges are not
written. What the texts count is not fitted.

  --queries <file>   File of queries.
  --dataset <name>   anime or manga. default both
  --output <file>    Where the weights are written.
                     default ranker-weights.json in the data folder
  --search-encoder <name>, --popularity <weight>, --ranker-weights <file>
                     As in \`synoptic serve\`; the weights are where the fit begins.

\`synoptic serve --ranker-weights <file>\` uses them.

Example:
  synoptic ranker fit --queries feedback.jsonl`,
  run,
}

const minQueries = 300

async function run(argv: readonly string[], evalSettings: EvalSettings): Promise<number> {
  const settings = { ...evalSettings, ...ownProcess }
  const { file, dataset, output } = readOptions(argv, settings.dataDir)
  await requireSearchEncoder(settings)
  const queries = await readQueryFile(file, dataset, settings)
  if (queries.length < minQueries) {
    throw new SettingsError([
      `ranker fit: --queries: expected at least ${minQueries} queries, received ${queries.length}; ` +
        'fewer fit chance',
    ])
  }
  const bar = createEvalProgressBar(queries.length)
  const gathered: Gathered[] = []
  let current
  try {
    for (const { without, queries: group } of groupByColumn(queries)) {
      const search = await openSearch(settings, { without })
      current = search.weights.fit
      try {
        gathered.push(...(await gather(group, search, bar.step)))
      } finally {
        await search.close()
      }
    }
  } finally {
    bar.stop()
  }
  if (current === undefined) return 1
  const fitting = gathered.filter((one) => isFitting(one))
  const judging = gathered.filter((one) => !isFitting(one))
  const fitted = fitWeights(fitting, current)
  const { text, isBetter } = describeComparison({ fitting, judging }, current, fitted)
  print(text)
  if (!isBetter) {
    print('The fitted weights are no better on the half that judges; nothing is written.\n')
    return 0
  }
  replaceFile(output, `${JSON.stringify(fitted, null, 2)}\n`)
  print(`Written to ${output}; \`synoptic serve --ranker-weights ${output}\` uses them.\n`)
  return 0
}

/** By the words of the query, so that a file that grows keeps its halves. */
const isFitting = ({ query: { query } }: Gathered): boolean =>
  (createHash('sha256').update(query, 'utf8').digest()[0] ?? 0) % 2 === 0

function readOptions(argv: readonly string[], dataDir: string) {
  const one = { type: 'string' } as const
  const values = parseOptions('ranker fit', argv, { queries: one, dataset: one, output: one })
  const { dataset } = values
  const output = resolve(values.output ?? join(dataDir, 'ranker-weights.json'))
  const problems = [
    ...(values.queries === undefined ? ['--queries: required'] : []),
    ...(dataset === undefined || isDatasetName(dataset)
      ? []
      : [`--dataset: expected ${expectedName}, received ${dataset}`]),
    ...(existsSync(dirname(output))
      ? []
      : [`--output: expected a file in an existing folder, received ${output}`]),
  ]
  if (problems.length > 0)
    throw new SettingsError(problems.map((problem) => `ranker fit: ${problem}`))
  return { file: values.queries ?? '', dataset, output }
}
