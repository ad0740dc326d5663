/**
 * The catalogue: what an import costs compared with only reading its files, what a page of results
 * costs, and full-text search compared with FTS5's own bm25 over the same words.
 */
import { spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Database } from '#synoptic/base/util/sqlite.js'
import { parse } from 'csv-parse'
import type { Catalogue, DatasetInfo } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { splitWords } from '#synoptic/base/text/searched-words.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { writeManyWorks } from './invented-works.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const data = process.env.SYNOPTIC_TEST_DATA ?? join(project, '../shared/data')

/** The real data sets where they are, the sample elsewhere. */
const real = {
  files: ['anime4500.csv', 'Anime_data.csv', 'mal_manga_3000.csv'],
  mappings: ['anime4500', 'anime/08-anime-data', 'mal-manga-3000'].map(
    (name) => `data/sources/${name}.json`,
  ),
}
const sampleMappings = ['data/sample/anime.json', 'data/sample/manga.json']

export const trial = {
  words: ['import', 'catalogue'],
  summary: 'Import, hydration and full-text search of the catalogue.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  const into = join(folder, 'catalogue.sqlite')
  try {
    const isReal = real.files.every((file) => existsSync(join(data, file)))
    await timeImport(print, into, isReal)
    timeManyWorks(print, folder)
    const catalogue = openCatalogue(into)
    for (const info of catalogue.datasets()) {
      timeHydration(print, catalogue, info)
      await timeLexical(print, catalogue, info)
    }
    catalogue.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function timeImport(print: (line: string) => void, into: string, isReal: boolean) {
  const mappings = (isReal ? real.mappings : sampleMappings).map((path) => join(project, path))
  const runs: { wallMs: number; cpuMs: number }[] = []
  let version = ''
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage()
    const summary = await importDatasets(mappings, { into, ...(isReal ? { from: data } : {}) })
    const { user, system } = process.cpuUsage(before)
    runs.push({ wallMs: summary.elapsedMs, cpuMs: (user + system) / 1000 })
    const versions = summary.datasets.map((dataset) => dataset.version).join()
    if (version !== '' && version !== versions) throw new Error('two imports, two versions')
    version = versions
    if (round > 0) continue
    const rows = summary.datasets.map((dataset) => `${dataset.rows} ${dataset.name}`).join(', ')
    print(`import of ${rows} (${megabytes(statSync(into).size)} catalogue)`)
  }
  print(
    `  wall ${milliseconds(runs.map((one) => one.wallMs))}, processor ${milliseconds(runs.map((one) => one.cpuMs))}`,
  )
  if (!isReal) return
  const start = performance.now()
  let fields = 0
  for (const file of real.files) {
    const parser = createReadStream(join(data, file)).pipe(parse())
    for await (const record of parser) fields += (record as string[]).length
  }
  print(
    `  baseline, csv-parse alone over ${fields} fields: ${milliseconds([performance.now() - start])}`,
  )
}

/** In a process of its own, so that its memory is that of the import. */
const program = `
import { importDatasets } from '#synoptic/data/datasets/import.js'
const [mapping, into] = process.argv.slice(1)
const { elapsedMs } = await importDatasets([mapping], { into })
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ elapsedMs, cpuMs: (userCPUTime + systemCPUTime) / 1000, maxRSS }))
`

/** Invented works, as many as make an import slow; the baseline parses the same file. */
function timeManyWorks(print: (line: string) => void, folder: string): void {
  const count = Number(process.env.SYNOPTIC_BENCH_COUNT ?? 20_000)
  const mapping = writeManyWorks(folder, count)
  const args = ['--input-type=module', '-e', program, mapping, join(folder, 'many.sqlite')]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  const { elapsedMs, cpuMs, maxRSS } = JSON.parse(stdout) as Record<string, number>
  print(
    `import of ${count} invented works: ${seconds(elapsedMs)}, processor ${seconds(cpuMs)}, ` +
      `peak memory ${megabytes((maxRSS ?? 0) * 1024)}`,
  )
  const before = process.cpuUsage()
  for (const line of readFileSync(join(folder, 'anime.jsonl'), 'utf8').split('\n')) JSON.parse(line)
  const { user, system } = process.cpuUsage(before)
  print(`  baseline, JSON.parse alone: processor ${seconds((user + system) / 1000)}`)
}

const seconds = (ms = 0) => `${(ms / 1000).toFixed(1)} s`

function timeHydration(print: (line: string) => void, catalogue: Catalogue, info: DatasetInfo) {
  const pages: number[] = []
  for (let page = 0; page < 500; page += 1) {
    const start = performance.now()
    for (let hit = 0; hit < 10; hit += 1) {
      // Far apart, as hits are.
      const row = ((page * 10 + hit) * 7919) % info.rows
      catalogue.entry(info.name, row)
      catalogue.text(info.name, row, hit % info.columns.length)
    }
    pages.push(performance.now() - start)
  }
  print(`${info.name}: ten entries with a text each ${milliseconds(pages)}`)
}

async function timeLexical(
  print: (line: string) => void,
  catalogue: Catalogue,
  info: DatasetInfo,
): Promise<void> {
  const fts5 = openFts5(catalogue, info)
  const column = info.columns.length - 1
  const texts = [...catalogue.texts(info.name, column)].map(({ text }) => text).slice(0, 200)
  for (const characters of [60, 300, 2000]) {
    const ours: number[] = []
    const theirs: number[] = []
    for (let position = 0; position < 40; position += 1) {
      const query = texts
        .slice(position, position + 8)
        .join(' ')
        .slice(0, characters)
      let start = performance.now()
      await catalogue.lexical(info.name, query, 200)
      ours.push(performance.now() - start)
      start = performance.now()
      fts5.search(query)
      theirs.push(performance.now() - start)
    }
    print(
      `${info.name}: lexical, ${characters} characters, first 200: ${milliseconds(ours)}; ` +
        `baseline FTS5 bm25 ${milliseconds(theirs)}`,
    )
  }
  const query = 'school detective murder'
  const found = (await catalogue.lexical(info.name, query, info.rows)).length
  const expected = fts5.count(query)
  fts5.close()
  if (found !== expected) throw new Error(`${query}: ${found} rows, FTS5 finds ${expected}`)
}

/** FTS5 as it comes, over the same titles and texts. */
function openFts5(catalogue: Catalogue, { name, rows, columns }: DatasetInfo) {
  const database = new Database(':memory:')
  database.exec(`CREATE VIRTUAL TABLE search USING fts5(
    title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
  )`)
  const insert = database.prepare('INSERT INTO search (rowid, title, body) VALUES (?, ?, ?)')
  database.exec('BEGIN')
  for (let row = 0; row < rows; row += 1) {
    const texts = columns.map((_, column) => catalogue.text(name, row, column) ?? '')
    const { title, facts } = catalogue.entry(name, row)
    const others = facts.otherTitles ?? []
    insert.run(row, [title, ...others].join('\n'), texts.join('\n'))
  }
  database.exec(`COMMIT; INSERT INTO search (search) VALUES ('optimize')`)
  const expression = (query: string) =>
    [...new Set(splitWords(query))].map((word) => `"${word}"`).join(' OR ')
  const best = database.prepare(
    `SELECT rowid, bm25(search, 2.0, 1.0) AS score FROM search WHERE search MATCH ?
     ORDER BY score, rowid LIMIT 200`,
  )
  const count = database
    .prepare<[string], number>('SELECT count(*) FROM search WHERE search MATCH ?')
    .pluck()
  return {
    search: (query: string) => best.all(expression(query)),
    count: (query: string) => count.get(expression(query)) ?? 0,
    close: () => database.close(),
  }
}

function milliseconds(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  const least = sorted[0] ?? 0
  return `${median.toFixed(2)} ms (least ${least.toFixed(2)})`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
