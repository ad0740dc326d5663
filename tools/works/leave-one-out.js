/**
 * Leave one out: a description or scene of a work of the reporting part is the query, and its own text is masked.
 *   node tools/works/leave-one-out.js [--works FOLDER] [--queries N] [--encoder MODEL] [--json FILE]
 *     [--dataset anime|manga] [--kind relation] ... [--work FOLDER]
 * Prints MRR@10 and recall@10 of /search with and without reading, by dataset and kind of text. `--works` names a
 * folder with the files of data/works, to compare another version of the texts. The same queries are used
 * for every version whose works have these texts. `--work` keeps what is built, which takes minutes with a transformer.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSearch } from '../../dist/search/composition/open-search.js'
import { flags, searchSettings } from '../fit-ranker/prepare-works.js'
import { partOf } from './split.js'

const { values: options } = parseArgs({
  options: {
    works: { type: 'string', default: 'data/works' },
    work: { type: 'string' },
    queries: { type: 'string', default: '150' },
    encoder: { type: 'string', default: 'builtin/static-en' },
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
/** One for all kinds, as a build encodes only the texts that have changed. */
const places = {
  work: folder,
  dataDir: join(folder, 'data'),
  embeddingsDir: join(folder, 'embeddings'),
  modelsDir: 'models',
}
const rows = []
try {
  for (const [position, kind] of kinds.entries())
    if (options.kind?.includes(kind) ?? true) rows.push(...(await measureKind(kind, position)))
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

/** Masks the text of that kind in all works of the reporting part, and queries with the masked texts. */
async function measureKind(kind, position) {
  const queries = new Map(datasets.map((dataset) => [dataset, maskInto(dataset, position)]))
  if ([...queries.values()].every((list) => list.length === 0)) return []
  importMasked()
  const settings = { ...(await searchSettings(places)), searchEncoder: options.encoder }
  const search = await openSearch(settings)
  try {
    const measured = []
    for (const dataset of datasets)
      measured.push(await measure(search, { dataset, kind }, sample(queries.get(dataset))))
    return measured
  } finally {
    await search.close()
  }
}

/** Writes the works without the texts, and returns these with the ids that answer them: of the whole franchise. */
function maskInto(dataset, position) {
  const all = works.get(dataset)
  const idsOf = Map.groupBy
    ? Map.groupBy(all, ({ franchise }) => franchise)
    : all.reduce(
        (map, work) => map.set(work.franchise, [...(map.get(work.franchise) ?? []), work]),
        new Map(),
      )
  const queries = []
  const lines = all.map((work) => {
    if (partOf(work.franchise) !== 'reporting') return work
    const masked = mask(work, position)
    if (masked === undefined) return work
    queries.push({ query: masked.text, ids: idsOf.get(work.franchise).map(({ mal }) => mal) })
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
function sample(queries) {
  return queries
    .map((one) => ({ ...one, hash: hashOf(one.query) }))
    .sort((one, other) => one.hash - other.hash)
    .slice(0, Number(options.queries))
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
