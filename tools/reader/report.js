/**
 * What reading brings to /search, on the built-in works and with the encoder of a first start:
 *   node tools/reader/report.js [--part reporting|fitting] [--work FOLDER] [--each 200] [--kinds facet,fact]
 * Prints for each kind of query its measure with and without reading, and the difference with its interval; kinds are
 * those of tools/fit-ranker/queries.js, pasted openings of synopses (the synopses themselves are not searched), and
 * questions about a work. Then the share of corpus/found.jsonl that holds, in the part that is fitted to and in the other.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSearch } from '../../dist/search/composition/open-search.js'
import { kindSystems } from '../../dist/search/eval/kind-systems.js'
import { measureNames } from '../../dist/search/eval/kinds.js'
import { measureKinds } from '../../dist/search/eval/measure-kinds.js'
import { opening } from '../../dist/search/eval/openings.js'
import { readQueries } from '../../dist/search/eval/queries.js'
import { prepareWorks, run, searchSettings } from '../fit-ranker/prepare-works.js'
import { partOf as partOfWork } from '../works/split.js'
import { partOf, posts } from './corpus.js'
import { holds } from './holds.js'
import { sentencesOf } from './made-posts.js'

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', default: 'reporting' },
    work: { type: 'string', default: process.env.READER_WORK },
    each: { type: 'string', default: '200' },
    kinds: { type: 'string' },
  },
})
const places = prepareWorks({
  work: options.work,
  'models-dir': 'models',
  encoders: ['builtin/static-en'],
})
const settings = await searchSettings(places)
const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const file = join(places.work, `report-${options.part}.jsonl`)
run('tools/fit-ranker/queries.js', '--part', options.part, '--output', file)
const more = ['anime', 'manga'].flatMap((dataset) => [...openings(dataset), ...questions(dataset)])
writeFileSync(file, more.map((line) => `${JSON.stringify(line)}\n`).join(''), { flag: 'a' })

const all = await openSearch(settings)
const kinds = options.kinds?.split(',')
const { queries: every } = await readQueries(file, all.catalogue, undefined)
const queries = every.filter(({ kind }) => kinds === undefined || kinds.includes(kind))
if (kinds === undefined) {
  await printFound()
  await printPosts()
}
console.log('| kind | queries | measure | with reading | without | difference |')
console.log('| --- | --- | --- | --- | --- | --- |')
// Each catalogue without a column is opened once, at last.
const kindOf = ({ kind, dataset, column }) =>
  `${column === undefined ? 0 : 1} ${dataset} ${column} ${kind}`
for (const kind of [...new Set(queries.map(kindOf))].sort()) await printKind(kind)
await all.close()

async function printKind(kind) {
  const own = queries.filter((query) => kindOf(query) === kind)
  for (const measured of await measureKinds(own, withSystems, () => undefined)) {
    const { measure, systems } = measured
    const [read, unread] = systems
    const name = measure === 'broken' ? 'broken@5' : measureNames[measure]
    console.log(
      `| ${measured.kind} | ${measured.queries} | ${name} | ${shown(read.value)} | ${unread.value.value.toFixed(3)} | ${signed(unread.behind)} |`,
    )
  }
}

/** With reading, and without. */
async function withSystems(without, task) {
  const search = without === undefined ? all : await openSearch(settings, { without })
  await task(kindSystems(search, { models: [] }).slice(0, 2))
  if (search !== all) await search.close()
}

function worksOf(dataset) {
  return linesOf(new URL(`../../data/works/${dataset}.jsonl`, import.meta.url))
    .filter(({ franchise }) => partOfWork(franchise) === options.part)
    .toSorted((one, other) => one.rank - other.rank)
}

/** Of the best-known works: what people paste is of these. */
function openings(dataset) {
  return worksOf(dataset)
    .filter(({ synopsis }) => synopsis)
    .slice(0, Number(options.each))
    .map(({ synopsis, mal }) => ({
      kind: 'opening',
      dataset,
      query: opening(synopsis),
      ids: [mal],
      column: 'synopsis',
    }))
}

/** The wordings of sentences.txt, as titles and in a post: the work ranks first. */
function questions(dataset) {
  const wordings = sentencesOf('subject').filter((line) => line.split('{subject}').length === 2)
  const remarks = sentencesOf('nothing')
  return worksOf(dataset)
    .filter(({ place }) => place === 'main')
    .slice(0, Number(options.each))
    .flatMap(({ titles, mal }, at) => {
      const question = wordings[at % wordings.length].replace(
        '{subject}',
        titles.english ?? titles.romaji,
      )
      const post = `${question} ${remarks[at % remarks.length]} ${remarks[(at * 7 + 3) % remarks.length]}`
      return [
        { kind: 'question', dataset, query: question, ids: [mal] },
        { kind: 'question in a post', dataset, query: post, ids: [mal] },
      ]
    })
}

/** Posts that are questions about works: the rank of the first of these. */
async function printPosts() {
  const [system] = kindSystems(all, { models: [] })
  for (const form of ['title', 'both']) {
    const ranks = []
    for (const { dataset, query, spans, form: own, kind } of posts()) {
      const named = spans.filter(({ role }) => role === 'subject-work').map(({ means }) => means)
      if (own !== form || kind !== 'title-question' || named.length === 0) continue
      const { titleRows, facts } = await all.knowledge(all.catalogue.dataset(dataset))
      const series = new Set(named.flatMap(titleRows).map((row) => facts.franchises[row]))
      const rows = await system.answer({ dataset, query })
      const rank = rows.findIndex((row) => series.has(facts.franchises[row]))
      ranks.push(rank < 0 ? 0 : 1 / (rank + 1))
    }
    const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length
    console.log(
      `posts that ask about a work, ${form}: MRR@10 ${mean.toFixed(3)} of ${ranks.length}`,
    )
  }
}

async function printFound() {
  const [system] = kindSystems(all, { models: [] })
  const counts = { fit: [0, 0], report: [0, 0] }
  for (const line of linesOf(new URL('corpus/found.jsonl', import.meta.url))) {
    const part = partOf(line.query)
    const rows = await system.answer(line)
    const titles = rows.map((row) => all.catalogue.entry(line.dataset, row).title)
    const isHeld = holds(line, titles)
    counts[part][0] += isHeld ? 1 : 0
    counts[part][1] += 1
    if (!isHeld && part === 'fit')
      console.error(`${line.query} -> ${titles.slice(0, 3).join(' | ')}`)
  }
  for (const [part, [held, count]] of Object.entries(counts))
    console.log(`found.jsonl, ${part} part: ${(held / count).toFixed(3)} of ${count}`)
}

function shown({ value, low, high }) {
  return `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
}

function signed({ value, low, high }) {
  const [shown, ...ends] = [value, low, high].map((one) => `${one < 0 ? '' : '+'}${one.toFixed(3)}`)
  return `${shown} (${ends.join(' to ')})`
}
