/** bm25 in this process and in OpenSearch, on the same texts: what the engine would gain or cost. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { createEngine, type Engine } from '#synoptic/search/opensearch/engine.js'
import type { Answer } from '#synoptic/search/opensearch/searches.js'
import { seeded, textOf, wordOf } from './invented-texts.js'
import { openSearchHome } from './opensearch-home.js'
import { median } from './similarity-measure.js'
import type { Trial } from './trial.js'

export const trial: Trial = {
  words: ['opensearch-words'],
  summary: 'bm25 in this process, and in one node of OpenSearch.',
  run,
}

const sizes = [20_000, 60_000]
const queryCount = 200
const wordsOfQuery = 14
/** As many results as /search reads for 100 candidates. */
const depth = 260
const index = 'words'
const documentsOfBulk = 2000

async function run(print: (line: string) => void): Promise<void> {
  const engines = await openSearchHome(print)
  if (engines === undefined) return
  const { home, startCluster } = engines
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  const cluster = await startCluster({ home, folder: join(folder, 'engine') })
  const engine = createEngine({ urls: cluster.urls, timeoutMs: 60_000 })
  try {
    print(`  the first ${depth} of ${queryCount} queries of ${wordsOfQuery} words, one client`)
    print(`  ${'texts'.padEnd(10)} ${'where'.padEnd(14)} p50 ms   p95 ms`)
    for (const rows of sizes) await compare(rows, folder, engine, print)
  } finally {
    await engine.close()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Work {
  readonly id: number
  readonly title: string
  readonly synopsis: string
}

async function compare(
  rows: number,
  folder: string,
  engine: Engine,
  print: (line: string) => void,
): Promise<void> {
  const random = seeded(rows)
  const works = Array.from({ length: rows }, (_, i): Work => {
    return { id: i + 1, title: `The ${wordOf(i)} ${i}`, synopsis: textOf(random) }
  })
  const queries = Array.from({ length: queryCount }, () => textOf(random, wordsOfQuery))
  const catalogue = openCatalogue(await importTexts(works, join(folder, `works-${rows}`)))
  const rowOf = new Map(works.map(({ id }, i) => [id, i]))
  try {
    await indexTexts(works, engine)
    const scored = (query: string) => catalogue.lexical('anime', query, depth)
    const here = async (query: string) =>
      (await scored(query)).map(({ row }) => catalogue.entry('anime', row).id)
    const there = async (query: string) => {
      const answer = await engine.call<Answer>({
        method: 'POST',
        path: `/${index}/_search`,
        query: { request_cache: false },
        body: {
          size: depth,
          _source: false,
          track_total_hits: false,
          query: { match: { text: query } },
        },
      })
      return answer?.hits.hits.map(({ _id }) => Number(_id)) ?? []
    }
    let shared = 0
    for (const query of queries.slice(0, 50)) {
      const right = new Set((await here(query)).slice(0, 10).map((id) => rowOf.get(id)))
      shared += (await there(query)).slice(0, 10).filter((id) => right.has(rowOf.get(id))).length
    }
    for (const [where, search] of [
      ['this process', scored],
      ['the engine', there],
    ] as const) {
      const times = await timesOf(search, queries)
      const p95 = times[Math.floor(times.length * 0.95)] ?? NaN
      print(
        `  ${String(rows).padEnd(10)} ${where.padEnd(14)} ${median(times).toFixed(2).padStart(6)} ${p95.toFixed(2).padStart(8)}`,
      )
    }
    print(`    of the first ten ${((shared / 500) * 100).toFixed(0)} % are the same`)
  } finally {
    catalogue.close()
  }
}

async function timesOf(search: (query: string) => Promise<unknown>, queries: readonly string[]) {
  for (const query of queries.slice(0, 50)) await search(query)
  const times: number[] = []
  for (const query of queries) {
    const begunMs = performance.now()
    await search(query)
    times.push(performance.now() - begunMs)
  }
  return times.sort((one, other) => one - other)
}

async function importTexts(works: readonly Work[], name: string): Promise<string> {
  const file = `${name}.csv`
  const mapping = `${name}.json`
  const lines = works.map(({ id, title, synopsis }) => `${id},${title},"${synopsis}"`)
  writeFileSync(file, `id,title,synopsis\n${lines.join('\n')}\n`)
  const fields = { id: 'id', title: 'title' }
  const texts = { synopsis: 'synopsis' }
  writeFileSync(mapping, JSON.stringify({ dataset: 'anime', file, format: 'csv', fields, texts }))
  const into = `${name}.sqlite`
  await importDatasets([mapping], { into })
  return into
}

async function indexTexts(works: readonly Work[], engine: Engine): Promise<void> {
  await engine.call({ method: 'DELETE', path: `/${index}` })
  await engine.call({
    method: 'PUT',
    path: `/${index}`,
    body: {
      settings: { index: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' } },
      // The smallest distribution has no stemmer, and invented words need none.
      mappings: { properties: { text: { type: 'text', analyzer: 'standard' } } },
    },
  })
  for (let begin = 0; begin < works.length; begin += documentsOfBulk) {
    const lines = works
      .slice(begin, begin + documentsOfBulk)
      .map(({ id, title, synopsis }) => {
        const text = `${title} ${synopsis}`
        return `{"index":{"_id":"${id}"}}\n${JSON.stringify({ text })}\n`
      })
      .join('')
    await engine.call({ method: 'POST', path: `/${index}/_bulk`, lines, timeoutMs: 120_000 })
  }
  await engine.call({ method: 'POST', path: `/${index}/_refresh`, timeoutMs: 120_000 })
}
