/**
 * Step 1 of a model over all features: the candidates of each query of ../fit-constants/queries.js with what the ranker
 * could weigh, by the serving code. fit_all.py reads the file: a JSON object a line, arrays by candidate.
 *   node tools/fit-ranker/all-features.js --works FOLDER --left-out FOLDER --output FILE [--sites FOLDER]
 *     [--part fitting] [--most 400] [--encoder builtin/minilm-anime]
 * `--works` is a folder of prepareWorks, `--left-out` one of ../works/leave-one-out.js. `--sites` is the data folder of a
 * catalogue of other sites' texts, embedded: openings of one column that search the other, and the descriptions of
 * bench/data. They have no share in the mix: nothing is fitted to them, but what is fitted is judged by them, too.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSearch } from '../../dist/search/composition/open-search.js'
import { columnItems } from '../../dist/search/eval/column-items.js'
import { readDescriptions } from '../../dist/search/eval/descriptions.js'
import { createComputeFeatures } from '../../dist/search/ranking/features.js'
import { readRankerConfig } from '../../dist/search/ranking/ranker-config.js'
import { logits } from '../../dist/search/ranking/builtin-ranker.js'
import { withFit } from '../../dist/search/ranking/weigh-fit.js'
import { createCandidates, scopeOf } from '../../dist/search/service/ranked-candidates.js'
import { openEvaluation } from '../fit-constants/queries.js'
import { searchSettings } from './prepare-works.js'

const text = { type: 'string' }
const { values: options } = parseArgs({
  options: {
    works: text,
    'left-out': text,
    output: text,
    part: { ...text, default: 'fitting' },
    most: { ...text, default: '400' },
    sites: text,
    encoder: { ...text, default: 'builtin/minilm-anime' },
  },
})
const evaluation = await openEvaluation({
  works: options.works,
  leftOut: options['left-out'],
  part: options.part,
  most: Number(options.most),
  encoders: [options.encoder, options.encoder],
})
const rankerConfig = await readRankerConfig('models/builtin/maxsim-en')
const franchiseOf = new Map(
  ['anime', 'manga'].flatMap((dataset) =>
    readFileSync(join('data/works', `${dataset}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ mal, franchise }) => [`${dataset} ${mal}`, franchise]),
  ),
)
/** As /search has them by default, and as ../fit-constants/queries.js sends them. */
const searched = {
  interpret: true,
  candidates: 100,
  includeLightNovels: true,
  filter: { adult: false },
}

const parts = new Map()
const output = openSync(options.output, 'w')
for (const query of evaluation.queries) await write(query, evaluation.searchOf(query))
await evaluation.close()
if (options.sites) await writeSites(options.sites)
closeSync(output)

async function write(query, search) {
  // Recommendations have no text, so the ranker does not score them.
  const line = query.liked ? {} : await featuresOf(query, search)
  const { kind, dataset, measure, weight } = query
  writeSync(output, `${JSON.stringify({ kind, dataset, measure, weight, ...line })}\n`)
}

async function writeSites(folder) {
  const embeddingsDir = join(folder, 'embeddings')
  const places = { work: folder, dataDir: folder, embeddingsDir, modelsDir: 'models' }
  const settings = { ...(await searchSettings(places)), searchEncoder: options.encoder }
  const whole = await openSearch(settings)
  const split = { fitting: 'fit', reporting: 'report' }[options.part]
  const { sets } = await readDescriptions('bench/data/descriptions.jsonl', whole.catalogue)
  const datasets = whole.catalogue.datasets().filter(({ columns }) => columns.length > 1)
  const names = datasets.map(({ name }) => name)
  for (const { items } of sets.filter(({ name }) => name.split(', ')[1] === split)) {
    const own = items.filter(({ dataset }) => names.includes(dataset))
    await writeItems('description, other sites', own, whole)
  }
  await whole.close()
  for (const dataset of datasets)
    for (const column of dataset.columns.keys()) {
      const search = await openSearch(settings, { without: { dataset: dataset.name, column } })
      const { items } = columnItems(search.catalogue, dataset, column)
      await writeItems('opening, other sites', items, search)
      await search.close()
    }
}

async function writeItems(kind, items, search) {
  for (const { dataset, query, rows } of items) {
    const shared = { measure: 'mrr', weight: 0, breaks: new Set() }
    await write({ kind, dataset, query, rows: new Set(rows), ...shared }, search)
  }
}

async function featuresOf(query, search) {
  const { find, best, together } = partsOf(search)
  const { catalogue, weights } = search
  const dataset = catalogue.dataset(query.dataset)
  const scope = scopeOf(catalogue, dataset, searched, [])
  const { each } = await find(dataset, searched, [query], scope)
  const picked = await each[0]()
  const { rows, fit, vector } = picked
  const request = { dataset, query: picked.query, rows, vector }
  const features = await best(request)
  const all = await together(request)
  const { facts } = await search.knowledge(dataset)
  const share = rankerConfig.together
  const maxsim = features.maxsim.map((one, at) => one + share * (all.maxsim[at] - one))
  const textScores = logits({ ...features, maxsim }, weights)
  const scores = withFit(textScores, features.popularity, rows, fit, weights.fit)
  const entries = [...rows].map((row) => catalogue.entry(query.dataset, row))
  return {
    group: groupOf(query, catalogue),
    text: picked.query,
    words: query.query.split(/\s+/).length,
    textWords: picked.query.split(/\s+/).length,
    explained: fit.explained,
    continuation: fit.continuation,
    hasText: Number(fit.hasText),
    hasReferences: Number(fit.hasReferences),
    ...answersOf(query, rows, entries),
    score: rounded(scores),
    textScore: rounded(textScores),
    cosine: rounded(features.cosine),
    bm25: rounded(features.bm25),
    maxsim: rounded(features.maxsim),
    together: rounded(all.maxsim),
    popularity: rounded(features.popularity),
    isMain: [...rows].map((row) => fit.isMain[row]),
    /** The position of the work that each continues. */
    continues: positionsIn(rows, fit.continued),
    franchise: [...rows].map((row) => facts.franchises[row]),
    members: [...rows].map((row) => sizeOf(facts, row)),
    title: rounded(fit.titleScores),
    requested: rounded(fit.requestScores),
    excluded: rounded(fit.exclusionScores),
    likeness: rounded(fit.likenessScores),
    degrees: fit.requests.map(({ degrees }) => rounded(degrees)),
  }
}

/** Which candidates are right, and which break what the query excludes. */
function answersOf(query, rows, entries) {
  if (query.line === undefined)
    return {
      rightCount: query.rows.size,
      right: [...rows].map((row) => Number(query.rows.has(row))),
      breaks: [...rows].map((row) => Number(query.breaks.has(row))),
    }
  const { line } = query
  const titles = entries.map(({ title }) => title)
  const { has = [], not = [], matching, notMatching } = line
  const matches = (pattern, title) => pattern !== undefined && new RegExp(pattern).test(title)
  return {
    top: line.top,
    has: has.map((title) => titles.flatMap((one, at) => (one === title ? [at] : []))),
    ...(matching !== undefined && {
      matched: titles.map((title) => Number(matches(matching, title))),
    }),
    right: titles.map((title) => Number(has.includes(title) || matches(matching, title))),
    breaks: titles.map((title) => Number(not.includes(title) || matches(notMatching, title))),
  }
}

/** Queries about one franchise are fitted to or judged together. */
function groupOf(query, catalogue) {
  const ids = [...(query.rows ?? [])].map((row) => catalogue.entry(query.dataset, row).id)
  const franchises = new Set(ids.map((id) => franchiseOf.get(`${query.dataset} ${id}`)))
  return (franchises.size === 1 && [...franchises][0]) || query.query
}

function partsOf(search) {
  if (!parts.has(search)) {
    const featuresBy = (share) =>
      createComputeFeatures({ ...search, rankerConfig: { ...rankerConfig, together: share } })
    parts.set(search, {
      find: createCandidates(search),
      best: featuresBy(0),
      together: featuresBy(1),
    })
  }
  return parts.get(search)
}

function positionsIn(rows, continued) {
  const positions = new Map([...rows].map((row, position) => [row, position]))
  return [...rows].map((row) => positions.get(continued[row]) ?? -1)
}

function sizeOf({ franchises, franchiseMembers }, row) {
  return franchises[row] < 0 ? 1 : [...franchiseMembers(franchises[row])].length
}

function rounded(values) {
  return Array.from(values, (value) => Number(value.toPrecision(6)))
}
