/**
 * Searches for works never seen by the whole of /search: what reading the query changes, which features.js and fit.py leave out.
 *   node tools/fit-ranker/whole-search.js [--model <encoder> --model-folder <folder with {fold} in its name>]
 * Runs the queries of prepare.py with the models of their fold, once read and once as plain text, by the weights that
 * ship. Writes a line a query with its ranks; `--against` compares with the file of a former run, query by query.
 */
import { cpSync, createWriteStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { serverSettings } from '../../dist/base/config/settings.js'
import { readSettings } from '../../dist/base/config/read.js'
import { compare, meanOf } from '../../dist/search/eval/figures.js'
import { kindSystems } from '../../dist/search/eval/kind-systems.js'
import { createSearcher } from '../../dist/search/eval/searcher.js'
import { createKnowledge } from '../../dist/search/knowledge/dataset-knowledge.js'
import { locateModel } from '../../dist/models/registry/registry.js'
import { builtinRanker, createBuiltinRanker } from '../../dist/search/ranking/builtin-ranker.js'
import { createComputeFeatures } from '../../dist/search/ranking/features.js'
import { createFirstStage } from '../../dist/search/ranking/first-stage.js'
import { createMatchedWords } from '../../dist/search/ranking/matched-words.js'
import { readRankerConfig } from '../../dist/search/ranking/ranker-config.js'
import { weightsOf } from '../../dist/search/ranking/search-encoder.js'
import { createRankedSearch } from '../../dist/search/service/ranked-service.js'
import {
  combine,
  folds,
  openEncoder,
  openParts,
  openPrepared,
  queriesOf,
  refuseOtherParts,
} from './fold-parts.js'

const text = { type: 'string' }
const { values: options } = parseArgs({
  options: {
    work: { ...text, default: '../fit-ranker-work' },
    data: { ...text, default: '../shared/data' },
    model: { ...text, default: 'builtin/minilm-anime' },
    'model-folder': { ...text, default: '../minilm-work/fold-{fold}' },
    against: text,
    output: { ...text, default: 'whole-search.jsonl' },
  },
})
const { work, model } = options
const tables = 'builtin/static-en'
const rankerConfig = await readRankerConfig(locateModel(builtinRanker, '.').folder)
const { settings } = readSettings(serverSettings, [], {})
const weights = {
  ...weightsOf(rankerConfig, model),
  popularity: settings.popularity,
  fit: rankerConfig.fit,
}
const systems = ['read', 'nothing read', 'vectors alone']

refuseOtherParts(work)
const lines = []
const output = createWriteStream(join(work, options.output))
const isFirst = (name) => Number(name === 'merged')
const names = readdirSync(join(work, 'queries')).sort((a, b) => isFirst(b) - isFirst(a))
for (const name of names) {
  const catalogue = await openPrepared(join(work, 'catalogues', name), options.data)
  for (const fold of folds) await askFold(catalogue, name, fold)
  catalogue.close()
}
output.end()
console.log(table(figures(lines)))
if (options.against) console.log(table(differences(lines, readLines(options.against))))

async function askFold(catalogue, name, fold) {
  const open = async (encoder, folder) =>
    openParts(
      catalogue,
      await openEncoder(encoder, folder),
      folder,
      embeddings(name, encoder, folder),
    )
  const own = await open(tables, join(work, `fold-${fold}`))
  const other =
    model === tables ? own : await open(model, options['model-folder'].replace('{fold}', fold))
  const answers = openSystems(combine(own, other))
  for await (const { set, split, item } of queriesOf({ work, name, fold, catalogue })) {
    const ranks = {}
    for (const system of systems) ranks[system] = rankOf(item, await answers[system](item))
    const line = { set, fold, split, query: item.query, ranks }
    lines.push(line)
    output.write(`${JSON.stringify(line)}\n`)
  }
  await own.close()
  if (other !== own) await other.close()
}

/** Of each model folder. Both sites of anime begin with the vectors that their texts have in `merged`. */
function embeddings(name, model, folder) {
  const own = `${basename(model)}-${basename(folder)}`
  const of = (catalogue) => join(work, 'catalogues', catalogue, own)
  const [from, to] = [of('merged'), of(name)]
  if (!existsSync(to) && existsSync(from)) cpSync(from, to, { recursive: true })
  return to
}

/** The search of composition/open-search.ts, of parts that are open already. */
function openSystems(parts) {
  const { catalogue } = parts
  const computeFeatures = createComputeFeatures({ ...parts, encoder: model, rankerConfig })
  const ranker = createBuiltinRanker(computeFeatures, weights)
  const knowledge = createKnowledge(catalogue)
  const searchWith = (knowledge) => {
    const ranked = createRankedSearch({
      catalogue,
      knowledge,
      firstStage: createFirstStage({ ...parts, encoder: model }),
      rankers: { use: (_model, _device, task) => task(ranker, []) },
      matchedWords: createMatchedWords(parts.models, rankerConfig.tokens),
    })
    return kindSystems({ ...parts, ranked }, { models: [] })[0].answer
  }
  const searcher = createSearcher(parts)
  return {
    read: searchWith(knowledge),
    'nothing read': searchWith(unread(knowledge)),
    'vectors alone': (item) => searcher.find({ mode: 'semantic', model }, item, 10),
  }
}

/** As if no query said anything but its text; series stay in order, as in fit.py. */
function unread(knowledge) {
  const interpret = (query) => ({ readings: [], text: query, explained: 0 })
  return async (dataset) => ({ ...(await knowledge(dataset)), interpret })
}

/** From 1; null beyond the first ten. */
function rankOf(item, rows) {
  const position = rows.findIndex((row) => item.rows.includes(row))
  return position < 0 ? null : position + 1
}

function readLines(file) {
  const text = readFileSync(join(work, file), 'utf8').trim()
  return text.split('\n').map((line) => JSON.parse(line))
}

function kindsOf(lines) {
  const described = lines.filter(({ split }) => split !== null)
  return {
    openings: lines.filter(({ split }) => split === null),
    'descriptions, fit': described.filter(({ split }) => split === 'fit'),
    'descriptions, report': described.filter(({ split }) => split === 'report'),
    'descriptions, all': described,
  }
}

/** Openings by the mean of the six pairs of sites, as fit.py has them. */
function figures(lines) {
  const kinds = kindsOf(lines)
  const sets = [...new Set(kinds.openings.map(({ set }) => set))]
  const pairs = sets.map((name) => [name, kinds.openings.filter(({ set }) => set === name)])
  const mrr = (queries, system) => meanOf(worths(queries, system)).value
  const row = (name, queries) => [
    name,
    `${queries.length}`,
    ...systems.map((system) => mrr(queries, system).toFixed(3)),
    difference(compare(worths(queries, 'read'), worths(queries, 'nothing read'))),
  ]
  const means = systems.map((system) => {
    const own = pairs.map(([, queries]) => mrr(queries, system))
    return (own.reduce((sum, one) => sum + one, 0) / own.length).toFixed(3)
  })
  return [
    ['MRR@10', 'queries', ...systems, 'gain of reading'],
    ...pairs.map(([name, queries]) => row(name, queries)),
    ['mean of the pairs', '', ...means, ''],
    ...Object.entries(kinds).map(([name, queries]) => row(name, queries)),
  ]
}

function differences(lines, former) {
  const keyOf = ({ set, query }) => `${set}: ${query}`
  const before = new Map(former.map((line) => [keyOf(line), line]))
  const formerOf = (line) => {
    const found = before.get(keyOf(line))
    if (found === undefined) throw new Error(`the former run lacks ${keyOf(line)}`)
    return found
  }
  const rows = Object.entries(kindsOf(lines)).map(([kind, queries]) => {
    const others = queries.map(formerOf)
    return [
      kind,
      ...systems.map((system) =>
        difference(compare(worths(queries, system), worths(others, system))),
      ),
    ]
  })
  return [['gain on the former run', ...systems], ...rows]
}

function worths(queries, system) {
  return queries.map(({ ranks }) => (ranks[system] === null ? 0 : 1 / ranks[system]))
}

function difference({ value, low, high }) {
  const [shown, ...ends] = [value, low, high].map((one) => `${one < 0 ? '' : '+'}${one.toFixed(3)}`)
  return `${shown} (${ends.join(' to ')})`
}

function table([heads, ...rows]) {
  return [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
