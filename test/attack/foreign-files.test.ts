/** Files that are no data sets, given to an import by a mistake or by somebody who may not read them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '#synoptic/base/util/sqlite.js'
import { afterAll, describe, expect, it } from 'vitest'
import { synoptic } from '../helpers/run-cli.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-attack-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** No part of it may be printed. */
const secret = 'Zr7Qx'
const files: Readonly<Record<string, string>> = {
  shadow: `root:$6$${secret}:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n`,
  passwd: `root:x:0:0:${secret},,,:/root:/bin/sh\nme:x:1:1:${secret},,,:/home:/bin/sh\n`,
  '.env': `TOKEN=${secret}\nPASSWORD=${secret}\n`,
  'key.pem': `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`,
  'tokens.csv': `${secret};${secret}1;${secret}2\na;b;c\n`,
  'quote.csv': `a,b\n"${secret},x\n`,
  'text.json': `"${secret}"`,
  'broken.json': `{"fields": ${secret}`,
  'mapping.json': `{"fields": {"title": ${secret}}}`,
  'credentials.json': `{"${secret}": {"private_key": "${secret}"}}`,
  'list.json': `["${secret}"]`,
  'list.jsonl': `{"${secret}":1}\n{"${secret}":2}\n`,
}

describe('an import quotes nothing of', () => {
  for (const [name, content] of Object.entries(files)) {
    const file = join(scratch, name)
    it(name, () => {
      writeFileSync(file, content)
      for (const command of [
        ['data', 'import', file],
        ['data', 'init', file, '--dataset', 'anime'],
      ]) {
        const { code, stdout, stderr } = synoptic([...command, '--data-dir', scratch])
        expect(code).not.toBe(0)
        expect(stderr).toMatch(/^error: /)
        expect(stdout + stderr).not.toContain(secret)
      }
    })
  }

  it('a table whose mapping is of another one', () => {
    const mapping = join(scratch, 'other.json')
    const fields = { title: 'name' }
    writeFileSync(join(scratch, 'tokens.csv'), files['tokens.csv'] ?? '')
    writeFileSync(
      mapping,
      JSON.stringify({
        dataset: 'anime',
        format: 'csv',
        file: 'tokens.csv',
        fields,
        texts: { text: 'plot' },
      }),
    )
    const { code, stderr } = synoptic(['data', 'import', mapping, '--data-dir', scratch])
    expect(code).not.toBe(0)
    expect(stderr).toContain('"name"')
    expect(stderr).not.toContain(secret)
  })
})

describe('an import takes time that grows with the file, whatever is in', () => {
  /** Squared, it would take minutes. */
  const much = 300_000
  const plot = 'A boy finds a notebook and a girl finds a robot. '.repeat(3)

  it.each<[string, Record<string, string>]>([
    ['an address', { contact: `a@${'.'.repeat(much)} ` }],
    ['a length', { duration: '1'.repeat(much) }],
    ['a number', { episodes: `1${','.repeat(much)}1,1` }],
    ['a list', { genres: `Drama${', '.repeat(much)}x, Comedy` }],
    ['the name of a column', { ['('.repeat(much)]: 'x' }],
    ['a text', { notes: `${'\n '.repeat(much)}(source: ${'('.repeat(much)}` }],
  ])('%s', { timeout: 120_000 }, (_, members) => {
    const rows = ['One', 'Two', 'Three'].map((title) => ({ title, synopsis: plot, ...members }))
    const file = join(scratch, 'slow.json')
    writeFileSync(file, JSON.stringify(rows))
    const words = ['data', 'import', file, '--data-dir', join(scratch, 'slow'), '--works', 'off']
    const { code, stderr } = synoptic(words, { timeoutMs: 60_000 })
    expect([0, 1], stderr).toContain(code)
    expect(stderr).not.toMatch(/internal|at file:/)
  })

  it.each(['works', 'series'])('an SQLite view named %s that never ends', (name) => {
    const file = join(scratch, `${name}.sqlite`)
    rmSync(file, { force: true })
    const database = new Database(file)
    const columns = 'id, title, description, synopsis'
    database.exec(
      `CREATE VIEW ${name} AS WITH RECURSIVE n(${columns}) AS
         (SELECT 1, 'One', '${plot}', '${plot}' UNION ALL SELECT ${columns} FROM n) SELECT * FROM n`,
    )
    database.close()
    const words = ['data', 'import', file, '--data-dir', join(scratch, 'slow'), '--works', 'off']
    const { code, stderr } = synoptic(words, { timeoutMs: 60_000 })
    expect(code).toBe(1)
    expect(stderr).toMatch(/: expected a table; found none$/m)
  })
})
