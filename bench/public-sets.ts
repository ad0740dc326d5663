/**
 * Imports of files in the formats of public data sets, 40,000 invented entries each, in a process of their own,
 * compared with only reading each file.
 */
import { execFileSync } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import type { Trial } from './trial.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const entries = 40_000
const limits = { seconds: 30, megabytes: 1000 }
/** What was merged or deleted at MangaBaka is left out. */
const removed = entries / 25
const files: readonly (readonly [name: string, rows: number])[] = [
  ['anime-offline-database-minified.json', entries],
  ['anime-offline-database.jsonl', entries],
  ['series.sqlite.tar.gz', entries - removed],
  ['series.json', entries - removed],
  ['series.jsonl', entries - removed],
  ['mal-anime.csv', entries],
  ['mal-manga.csv', entries],
]

export const trial: Trial = {
  words: ['public-sets'],
  summary: `Imports of public data sets of ${entries} entries without a mapping.`,
  async run(print) {
    const folder = mkdtempSync(join(tmpdir(), 'synoptic-sets-'))
    try {
      const script = join(project, 'tools/make-public-sets.js')
      execFileSync(process.execPath, [script, folder, String(entries)])
      for (const [name, rows] of files) await importOne(folder, name, rows, print)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

interface Result {
  readonly rows: number
  readonly seconds: number
  readonly processorSeconds: number
  readonly megabytes: number
}

async function importOne(
  folder: string,
  name: string,
  rows: number,
  print: (line: string) => void,
): Promise<void> {
  const file = join(folder, name)
  const result = importApart(file, join(folder, 'catalogue.sqlite'))
  if (result.rows !== rows) throw new Error(`${name}: expected ${rows} rows, found ${result.rows}`)
  const isWithin = result.seconds <= limits.seconds && result.megabytes <= limits.megabytes
  print(
    `${name} (${(statSync(file).size / 1e6).toFixed(0)} MB): ${result.seconds.toFixed(1)} s ` +
      `(${result.processorSeconds.toFixed(1)} s of processor time), ` +
      `${result.megabytes.toFixed(0)} MB at most, ` +
      `${isWithin ? 'within' : 'BEYOND'} ${limits.seconds} s and ${limits.megabytes} MB; ` +
      `baseline, reading alone: ${(await readingSeconds(file)).toFixed(2)} s`,
  )
}

function importApart(file: string, into: string): Result {
  const options = { into, works: true }
  const script = `
    import { importDatasets } from '#synoptic/data/datasets/import.js'
    const summary = await importDatasets([${JSON.stringify(file)}], ${JSON.stringify(options)})
    const { user, system } = process.cpuUsage()
    console.log(JSON.stringify({
      rows: summary.datasets[0].rows,
      seconds: summary.elapsedMs / 1000,
      processorSeconds: (user + system) / 1e6,
      megabytes: (process.resourceUsage().maxRSS * 1024) / 1e6,
    }))`
  rmSync(into, { force: true })
  const argv = ['--input-type=module', '--eval', script]
  return JSON.parse(execFileSync(process.execPath, argv, { cwd: project }).toString()) as Result
}

async function readingSeconds(file: string): Promise<number> {
  const start = performance.now()
  const bytes = createReadStream(file)
  const content = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  let length = 0
  for await (const piece of content) length += (piece as Buffer).length
  if (length === 0) throw new Error(`${file} is empty`)
  return (performance.now() - start) / 1000
}
