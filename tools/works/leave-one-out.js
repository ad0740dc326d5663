/**
 * Leave one out: a description or scene of a work of the reporting part is the query, and its own text is masked.
 *   node tools/works/leave-one-out.js [--works FOLDER] [--queries N] [--encoder MODEL] [--json FILE]
 *     [--dataset anime|manga] [--kind relation] ... [--work FOLDER [--built]] [--part fitting]
 *     [--candidates FILE [--also FILE]]
 * Prints MRR@10 and recall@10 of /search with and without reading, by dataset and kind of text. Each franchise of the
 * fitting and reporting parts has texts of one kind masked, so one build serves all. `--works` names a folder with the
 * files of data/works, to compare another version of the texts. The same queries are used for every version whose
 * works have these texts. `--work` keeps what is built, which takes minutes with a transformer; `--built` uses it again.
 * `--candidates` also writes what the ranker makes of each query, with and without the works that it means in the
 * catalogue, and of those of `--also`, which fit-ranker/queries.js wrote. tools/fit-ranker/fit_nothing.py reads it.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSearch } from '../../dist/search/composition/open-search.js'
import { candidatesOf } from '../fit-ranker/candidates.js'
import { flags, searchSettings } from '../fit-ranker/prepare-works.js'
import { partOf } from './split.js'

const { values: options } = parseArgs({
  options: {
    works: { type: 'string', default: 'data/works' },
    work: { type: 'string' },
    queries: { type: 'string', default: '150' },
    encoder: { type: 'string', default: 'builtin/minilm-anime' },
    part: { type: 'string', default: 'reporting' },
    candidates: { type: 'string' },
    built: { type: 'boolean' },
    also: { type: 'string' },
    kind: { type: 'string', multiple: true },
    dataset: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
})
const datasets = options.dataset ?? ['anime', 'manga']
const kinds = ['scene of a description', 'relation', 'mood', 'scene line']
const depth = 10

const works = new Map(datasets.map((dataset) => [dataset, readWorks(dataset)]))
const folder = options.work ?? mkdtempSync(join(tmpdir(), 'synoptic-leave-one-out-'))
const places = {
  work: folder,
  dataDir: join(folder, 'data'),
  embeddingsDir: join(folder, 'embeddings'),
  modelsDir: 'models',
}
const rows = []
if (options.candidates) writeFileSync(options.candidates, '')
try {
  const queries = datasets.flatMap(maskInto)
  if (!options.built) importMasked()
  const settings = { ...(await searchSettings(places)), searchEncoder: options.encoder }
  const search = await openSearch(settings)
  try {
    for (const kind of kinds.filter((one) => options.kind?.includes(one) ?? true))
      for (const dataset of datasets) {
        const own = queries.filter((one) => one.dataset === dataset && one.kind === kind)
        if (own.length === 0) continue
        rows.push(await measure(search, { dataset, kind }, sample(own)))
        await writeCandidates(search, { dataset, kind }, sample(own))
      }
    for (const [kind, own] of alsoByKind())
      await writeCandidates(search, { dataset: own[0].dataset, kind }, sample(own, 80))
  } finally {
    await search.close()
  }
} finally {
  if (options.work === undefined) rmSync(folder, { recursive: true })
}
print(rows)
if (options.json) writeFileSync(options.json, JSON.stringify(rows, undefined, 1))

function readWorks(dataset) {
  return readFileSync(join(options.works, `${dataset}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/**
 * Writes the works without one text each, and returns the texts of the chosen part with the ids that answer them: of
 * the whole franchise, whose texts of that kind are all masked.
 */
function maskInto(dataset) {
  const all = works.get(dataset)
  const idsOf = new Map()
  for (const { franchise, mal } of all) idsOf.set(franchise, [...(idsOf.get(franchise) ?? []), mal])
  const queries = []
  const lines = all.map((work) => {
    const part = partOf(work.franchise)
    const position = hashOf(work.franchise) % kinds.length
    const masked = part === 'training' ? undefined : mask(work, position)
    if (masked === undefined) return work
    if (part === options.part)
      queries.push({
        dataset,
        kind: kinds[position],
        query: masked.text,
        ids: idsOf.get(work.franchise),
      })
    return masked.work
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, `${dataset}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  copyFileSync(join(options.works, `${dataset}.json`), join(folder, `${dataset}.json`))
  return queries
}

function mask(work, position) {
  if (position < 3) {
    const text = work.descriptions[position]
    if (text === undefined) return undefined
    return { text, work: { ...work, descriptions: work.descriptions.with(position, '') } }
  }
  const lines = [...(work.scenes ?? []), ...(work.spoilers ?? [])]
  if (lines.length === 0) return undefined
  const text = lines[hashOf(`${work.mal}`) % lines.length]
  const without = (list = []) => list.filter((line) => line !== text)
  return {
    text,
    work: { ...work, scenes: without(work.scenes), spoilers: without(work.spoilers) },
  }
}

function hashOf(text) {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

/** The same queries in every run: those with the smallest hashes of their text. */
function sample(queries, count = Number(options.queries)) {
  return queries
    .map((one) => ({ ...one, hash: hashOf(one.query) }))
    .sort((one, other) => one.hash - other.hash)
    .slice(0, count)
}

function importMasked() {
  const cli = (...words) =>
    execFileSync(process.execPath, ['dist/cli.js', ...words, ...flags(places)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  // The included works would bring the masked texts back.
  cli('data', 'import', '--works', 'off', ...datasets.map((name) => join(folder, `${name}.json`)))
  for (const model of new Set(['builtin/static-en', options.encoder]))
    cli('embed', 'build', '--model', model)
}

async function measure({ ranked }, { dataset, kind }, queries) {
  const ranks = { read: [], unread: [] }
  for (const { query, ids } of queries)
    for (const [name, interpret] of [
      ['read', true],
      ['unread', false],
    ]) {
      const { results } = await ranked.ranked({
        dataset,
        query,
        interpret,
        numResults: depth,
        batchSize: 32,
        candidates: 100,
        includeLightNovels: true,
      })
      ranks[name].push(results.findIndex(({ id }) => ids.includes(id)))
    }
  return {
    dataset,
    kind,
    queries: queries.length,
    read: figures(ranks.read),
    unread: figures(ranks.unread),
  }
}

async function writeCandidates(search, { dataset, kind }, queries) {
  if (!options.candidates) return
  for (const query of queries) {
    const line = { kind, ...(await candidatesOf(search, dataset, query)) }
    appendFileSync(options.candidates, `${JSON.stringify(line)}\n`)
  }
}

/** Queries of one work each, by dataset and kind. */
function alsoByKind() {
  const byKind = new Map()
  if (!options.also) return byKind
  for (const text of readFileSync(options.also, 'utf8').trim().split('\n')) {
    const line = JSON.parse(text)
    const ids = line.ids ?? idsOfTitles(line)
    if (ids.length === 0) continue
    const key = `${line.kind}, ${line.dataset}`
    byKind.set(key, [...(byKind.get(key) ?? []), { ...line, ids }])
  }
  return byKind
}

function idsOfTitles({ dataset, titles }) {
  const wanted = new Set(titles)
  const named = works
    .get(dataset)
    .filter(({ titles: { romaji, english, other = [] } }) =>
      [romaji, english, ...other].some((title) => wanted.has(title)),
    )
  const franchises = new Set(named.map(({ franchise }) => franchise))
  return works
    .get(dataset)
    .filter(({ franchise }) => franchises.has(franchise))
    .map(({ mal }) => mal)
}

function figures(ranks) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
  const reciprocal = ranks.map((rank) => (rank < 0 ? 0 : 1 / (rank + 1)))
  return {
    mrr: mean(reciprocal),
    recall: mean(ranks.map((rank) => (rank < 0 ? 0 : 1))),
    reciprocal,
  }
}

function print(measured) {
  const cell = ({ mrr, recall }) => `${mrr.toFixed(3)} / ${recall.toFixed(3)}`
  console.log('| dataset | masked text | queries | /search MRR@10 / recall@10 | without reading |')
  console.log('|---|---|---|---|---|')
  for (const { dataset, kind, queries, read, unread } of measured)
    console.log(`| ${dataset} | ${kind} | ${queries} | ${cell(read)} | ${cell(unread)} |`)
}
