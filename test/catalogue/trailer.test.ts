/** The hashes at the end of a catalogue: SQLite does not see them, and they see every bit. */
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Database } from '#synoptic/base/util/sqlite.js'
import { expect, test } from 'vitest'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { verifyCatalogue } from '#synoptic/data/catalogue/verify-catalogue.js'
import { build, row, seeded, useFolder } from './shelf.js'

const folder = useFolder()
const whole = join(folder, 'whole.sqlite')
const rows = Array.from({ length: 200 }, (_, id) =>
  row(id, { texts: [`A story of number ${id}. `.repeat(300)] }),
)
build(whole, { name: 'anime', columns: ['synopsis'], rows })

function copy(name: string): string {
  const file = join(folder, name)
  copyFileSync(whole, file)
  return file
}

test('a whole file is as it was written, also to SQLite', async () => {
  expect(statSync(whole).size).toBeGreaterThan(2 ** 20)
  await expect(verifyCatalogue(whole)).resolves.toBeUndefined()
  const database = new Database(whole, { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
})

test('a bit that flips anywhere is found', async () => {
  const bytes = readFileSync(whole)
  const random = seeded(7)
  const file = copy('flipped.sqlite')
  for (let i = 0; i < 200; i++) {
    const at = Math.floor(random() * bytes.length)
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (i % 8)), at)
    writeFileSync(file, flipped)
    await expect(verifyCatalogue(file), `bit ${i % 8} of byte ${at}`).rejects.toThrow(
      /damaged|expected a catalogue|expected schema version/,
    )
  }
})

test('a bit of the table that requires the hashes is found like any other', async () => {
  const bytes = readFileSync(whole)
  const at = bytes.indexOf('hashes_follow')
  expect(at).toBeGreaterThan(0)
  const file = copy('renamed.sqlite')
  for (let from = at; from > 0; from = bytes.indexOf('hashes_follow', from + 1)) {
    bytes.writeUInt8(bytes.readUInt8(from) ^ 1, from)
  }
  writeFileSync(file, bytes)
  await expect(verifyCatalogue(file)).rejects.toThrow(/damaged/)
})

test('a file that is cut or has lost its hashes is refused', async () => {
  for (const lost of [1, 24, 16_384, 2 ** 20]) {
    const file = copy(`cut-${lost}.sqlite`)
    truncateSync(file, statSync(file).size - lost)
    await expect(verifyCatalogue(file), `${lost} bytes`).rejects.toThrow(/damaged/)
  }
})

test('a file that was made before there were hashes is taken as it is', async () => {
  const file = copy('older.sqlite')
  const database = new Database(file)
  database.exec('DROP TABLE hashes_follow; VACUUM')
  database.close()
  await expect(verifyCatalogue(file)).resolves.toBeUndefined()
  const catalogue = openCatalogue(file)
  expect(catalogue.datasets()).toMatchObject([{ rows: 200 }])
  catalogue.close()
})
