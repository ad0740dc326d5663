/**
 * The tables of docs/quality.md by kinds of queries, in one command: what /search reaches on the reporting part, and
 * what each part of its score brings.
 *   node tools/fit-ranker/report.js [--part reporting] [--work <folder>] [--model <encoder> --models-dir <folder>]
 * Imports the works that ship and embeds them, unless the folder has them already.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSearch } from '../../dist/composition/open-search.js'
import { compare, meanOf } from '../../dist/eval/figures.js'
import { gather, worthOf } from '../../dist/eval/fit-weights.js'
import { groupByColumn } from '../../dist/eval/measure-kinds.js'
import { readQueries } from '../../dist/eval/queries.js'
import { table } from '../../dist/eval/report.js'

const text = { type: 'string' }
const { values: options } = parseArgs({
  options: {
    part: { ...text, default: 'reporting' },
    work: text,
    model: text,
    'models-dir': { ...text, default: 'models' },
  },
})
const work = options.work ?? mkdtempSync(join(tmpdir(), 'synoptic-report-'))
mkdirSync(work, { recursive: true })
const dataDir = join(work, 'data')
const embeddingsDir = join(work, 'embeddings')
const folders = ['--data-dir', dataDir, '--embeddings-dir', embeddingsDir]
const places = [...folders, '--models-dir', options['models-dir']]
const run = (...words) =>
  execFileSync(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

const queriesFile = join(work, `${options.part}.jsonl`)
run('tools/fit-ranker/queries.js', '--part', options.part, '--output', queriesFile)
if (!existsSync(dataDir)) {
  run('dist/cli.js', 'data', 'import', 'data/works/anime.json', 'data/works/manga.json', ...folders)
}
for (const model of ['builtin/static-en', ...(options.model ? [options.model] : [])]) {
  run('dist/cli.js', 'embed', 'build', '--model', model, ...places)
}
const named = options.model ? ['--model', options.model] : []
console.log(run('dist/cli.js', 'eval', '--queries', queriesFile, ...named, ...places))
console.log(await ablation())

async function ablation() {
  const settings = {
    ...{
      dataDir,
      embeddingsDir,
      modelsDir: options['models-dir'],
      fineTunedDir: join(work, 'none'),
    },
    ...{ crossEncoder: 'builtin/maxsim-en', searchEncoder: 'builtin/static-en', device: 'cpu' },
    ...{ popularity: 0.2, queryCache: 0, modelMemoryLimit: 0, threads: 0, workers: 1 },
    rankerWeights: 'none',
  }
  const gathered = []
  const search = await openSearch(settings)
  const { queries } = await readQueries(queriesFile, search.catalogue, undefined)
  const { fit: whole } = search.weights
  await search.close()
  for (const { without, queries: group } of groupByColumn(queries)) {
    const part = await openSearch(settings, { without })
    gathered.push(...(await gather(group, part, () => undefined)))
    await part.close()
  }
  const parts = {
    titles: { title: 0 },
    facts: { fulfilled: 0, fulfilledBeside: 0 },
    likeness: { similar: 0 },
    exclusions: { broken: 0 },
    'main before sequels': { notMain: 0 },
    'popularity beside facts': { popularity: 0 },
    'the text beside facts': { minTextShare: 0 },
    'facts before the text': { minTextShare: 1 },
  }
  const kinds = [...new Set(gathered.map(({ query }) => query.kind))]
  const rows = kinds.map((kind) => {
    const own = gathered.filter(({ query }) => query.kind === kind)
    const worths = (weights) => own.map((one) => worthOf(one, weights))
    const full = worths(whole)
    const gains = Object.values(parts).map((left) =>
      gain(compare(full, worths({ ...whole, ...left }))),
    )
    return [kind, meanOf(full).value.toFixed(3), ...gains]
  })
  return table([['kind', 'whole', ...Object.keys(parts)], ...rows])
}

/** What a part brings; a dot where its interval holds 0. */
function gain({ value, low, high }) {
  return low <= 0 && high >= 0 ? '.' : `${value < 0 ? '' : '+'}${value.toFixed(3)}`
}
