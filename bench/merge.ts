/**
 * What joining three sources of 65,000 rows costs: the size of the public manga files, with invented
 * titles and texts. The import runs in a process of its own, so that its memory is nobody else's.
 */
import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { seeded, textOf, wordOf } from './invented-texts.js'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const rowCount = 65_000
/** Rows of the joined sources that the base lacks. */
const newRows = 1000
const limits = { seconds: 60, megabytes: 500 }

export const trial: Trial = {
  words: ['merge', 'join'],
  summary: `Joining three sources of ${rowCount} rows by id and by title.`,
  async run(print) {
    const folder = mkdtempSync(join(tmpdir(), 'synoptic-merge-'))
    try {
      await run(folder, print)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

async function run(folder: string, print: (line: string) => void): Promise<void> {
  for (const source of sources) await writeSource(folder, source)
  const sizes = sources.map(({ file }) => statSync(join(folder, file)).size)
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  print(`${rowCount} rows in each of ${sources.length} files, ${megabytes.toFixed(0)} MB`)
  const result = importApart(folder)
  // What only jikan.csv has, data.csv has too.
  const expected = [0, rowCount - newRows, rowCount]
  if (result.joined.join() !== expected.join()) {
    throw new Error(`expected ${expected.join()} rows to join, found ${result.joined.join()}`)
  }
  const isWithin = result.seconds <= limits.seconds && result.megabytes <= limits.megabytes
  print(
    `  ${result.seconds.toFixed(1)} s (${result.processorSeconds.toFixed(1)} s of processor time), ` +
      `${result.megabytes.toFixed(0)} MB at most; ` +
      `${isWithin ? 'within' : 'BEYOND'} ${limits.seconds} s and ${limits.megabytes} MB`,
  )
}

interface Invented {
  readonly file: string
  /** The values of a row other than its text, by the names of the header. */
  readonly facts: (row: number) => Readonly<Record<string, string>>
  readonly firstRow: number
  readonly text: string
}

const sources: readonly Invented[] = [
  {
    file: 'manga.csv',
    facts: (row) => ({
      manga_id: String(row),
      title: titleOf(row),
      type: row % 9 === 0 ? 'light_novel' : 'manga',
      start_date: `${1960 + (row % 60)}-04-01`,
      genres: "['Drama', 'School']",
      title_japanese: `題${row}`,
    }),
    firstRow: 0,
    text: 'synopsis',
  },
  {
    file: 'jikan.csv',
    facts: (row) => ({ mal_id: String(row), title: titleOf(row) }),
    firstRow: newRows,
    text: 'synopsis',
  },
  {
    file: 'data.csv',
    facts: (row) => ({ title: titleOf(row).toLowerCase(), year: `${1960 + (row % 60)}.0` }),
    firstRow: newRows,
    text: 'description',
  },
]

/** The header is that of the public file. */
async function writeSource(folder: string, { file, facts, firstRow, text }: Invented) {
  const fixture = join(project, 'test/fixtures/data/sources', file)
  const header = readFileSync(fixture, 'utf8').split('\n', 1)[0] ?? ''
  const names = header.split(',')
  const random = seeded(file.length)
  function* lines() {
    yield `${header}\n`
    for (let row = firstRow; row < firstRow + rowCount; row += 1) {
      const values: Record<string, string> = { ...facts(row), [text]: textOf(random) }
      yield `${names.map((name) => `"${values[name] ?? ''}"`).join(',')}\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, file)))
}

const titleOf = (row: number) => `The ${wordOf(row * 7919)} of ${wordOf(row)} ${row}`

interface Result {
  readonly joined: readonly number[]
  readonly seconds: number
  readonly processorSeconds: number
  readonly megabytes: number
}

function importApart(folder: string): Result {
  const names = ['01-manga', '02-jikan', '03-data']
  const mappings = names.map((name) => join(project, 'data/sources/manga', `${name}.json`))
  const options = { from: folder, into: join(folder, 'catalogue.sqlite') }
  const script = `
    import { importDatasets } from '#synoptic/data/datasets/import.js'
    const summary = await importDatasets(${JSON.stringify(mappings)}, ${JSON.stringify(options)})
    const { user, system } = process.cpuUsage()
    console.log(JSON.stringify({
      joined: summary.datasets[0].sources.map(({ joined }) => joined),
      seconds: summary.elapsedMs / 1000,
      processorSeconds: (user + system) / 1e6,
      megabytes: (process.resourceUsage().maxRSS * 1024) / 1e6,
    }))`
  const argv = ['--input-type=module', '--eval', script]
  return JSON.parse(execFileSync(process.execPath, argv, { cwd: project }).toString()) as Result
}
