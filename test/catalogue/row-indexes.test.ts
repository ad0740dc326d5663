/** The row indexes of a catalogue are built where they are missing, cut, stale or of an older version. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { rowIndexFile } from '#synoptic/data/catalogue/row-indexes.js'
import { Database } from '#synoptic/base/util/sqlite.js'
import { describe, expect, test } from 'vitest'
import { build, row, seeded, useFolder } from './shelf.js'

const folder = useFolder()
const isOld = Number(process.versions.napi) < 10
const sqlitePath = createRequire(
  join(process.cwd(), isOld ? 'tools/node20/' : '', 'package.json'),
).resolve('better-sqlite3')
const random = seeded(3)
const rows = Array.from({ length: 500 }, (_, id) => {
  const words = Array.from({ length: 40 }, () => `w${Math.floor(random() ** 2 * 300)}q`)
  return row(id, { texts: [words.join(' ')] })
})
const query = 'w0q w7q w250q w299q'

/** A catalogue with an index, in a folder of its own. */
function make(name: string) {
  const own = join(folder, name)
  mkdirSync(own)
  const file = join(own, 'catalogue.sqlite')
  build(file, { name: 'anime', columns: ['synopsis'], rows })
  const catalogue = openCatalogue(file)
  const [info] = catalogue.datasets()
  catalogue.close()
  if (info === undefined) throw new Error('no dataset')
  return { own, file, index: rowIndexFile(file, info) }
}

async function hitsOf(file: string) {
  const catalogue = openCatalogue(file)
  try {
    return await catalogue.lexical('anime', query, 1000)
  } finally {
    catalogue.close()
  }
}

const whole = make('whole')
const expected = await hitsOf(whole.file)
const bytes = readFileSync(whole.index)

describe('an index that does not fit is built by the first search', () => {
  test.each<[string, (index: string) => void]>([
    ['none', (index) => rmSync(index)],
    ['one that is empty', (index) => truncateSync(index, 0)],
    ['one that is cut within its header', (index) => truncateSync(index, 4000)],
    ['one that is cut in the middle', (index) => truncateSync(index, bytes.length >> 1)],
    [
      'one of another version',
      (index) => writeFileSync(index, bytes.with(40, (bytes[40] ?? 0) ^ 1)),
    ],
    [
      'a folder of its name',
      (index) => {
        rmSync(index)
        mkdirSync(index)
      },
    ],
  ])('%s', async (name, damage) => {
    const { file, index } = make(name.replaceAll(' ', '-'))
    damage(index)
    expect(await hitsOf(file)).toEqual(expected)
    if (!name.includes('folder')) expect(readFileSync(index).equals(bytes)).toBe(true)
  })
})

test('of a catalogue that an older version made', async () => {
  const { file, index } = make('older')
  rmSync(index)
  const database = new Database(file)
  database.exec('DROP TABLE hashes_follow; PRAGMA user_version = 5')
  database.close()
  expect(await hitsOf(file)).toEqual(expected)
  expect(readFileSync(index).equals(bytes)).toBe(true)
})

test('is built by one process while others wait', async () => {
  const { file, index } = make('waiting')
  const built = join(folder, 'built-by-another.rows')
  renameSync(index, built)
  const { ino } = statSync(built)
  const other = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    const { renameSync } = require('node:fs')
    const Sqlite = require(workerData.sqlite)
    const lock = new Sqlite(workerData.lock)
    lock.exec('BEGIN EXCLUSIVE')
    parentPort.postMessage('locked')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    renameSync(workerData.built, workerData.index)
    lock.close()`,
    { eval: true, workerData: { sqlite: sqlitePath, lock: `${file}.rows.lock`, built, index } },
  )
  await once(other, 'message')
  expect(await hitsOf(file)).toEqual(expected)
  expect(statSync(index).ino).toBe(ino)
})

test('is next to the catalogue that a link points to', async () => {
  const { own, file, index } = make('linked')
  const link = join(own, 'link.sqlite')
  symlinkSync(file, link)
  rmSync(index)
  expect(await hitsOf(link)).toEqual(expected)
  expect(readFileSync(index).equals(bytes)).toBe(true)
})

test('in a folder that cannot be written is in memory', async () => {
  const { own, file } = make('gone')
  const catalogue = openCatalogue(file)
  rmSync(own, { recursive: true })
  expect(await catalogue.lexical('anime', query, 1000)).toEqual(expected)
  expect(existsSync(own)).toBe(false)
  catalogue.close()
})

test('goes with its catalogue: another version of the dataset has another file', async () => {
  const { file, index } = make('replaced')
  copyFileSync(index, `${index}.building-1`)
  const open = openCatalogue(file)
  open.openRowIndex('anime')
  build(file, { name: 'anime', columns: ['synopsis'], rows: rows.slice(0, 9) })
  expect(existsSync(index)).toBe(false)
  expect(existsSync(`${index}.building-1`)).toBe(false)
  expect((await hitsOf(file)).length).toBeLessThan(10)
  expect(await open.lexical('anime', query, 1000)).toEqual(expected)
  open.close()
})

test('fails one search when its file is written to, and opens it again for the next', async () => {
  const { file, index } = make('written')
  const catalogue = openCatalogue(file)
  expect(await catalogue.lexical('anime', query, 1000)).toEqual(expected)
  const names = catalogue.workNames('anime')
  expect(names.initials('abc')).toBeUndefined()
  writeFileSync(index, '')
  expect(() => names.initials('abc')).toThrow(
    /the index of rows is damaged .*build it again: `synoptic data index`/,
  )
  expect(catalogue.workNames('anime')).not.toBe(names)
  expect(catalogue.workNames('anime').initials('abc')).toBeUndefined()
  writeFileSync(index, '')
  await expect(catalogue.lexical('anime', query, 5)).rejects.toThrow(
    /the index of rows is damaged .*build it again: `synoptic data index`/,
  )
  expect(await catalogue.lexical('anime', query, 1000)).toEqual(expected)
  catalogue.close()
})
