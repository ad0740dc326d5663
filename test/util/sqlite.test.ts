/** SQLite as this Node gets it, and what is said where it is not installed or does not fit. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Database } from '#synoptic/base/util/sqlite.js'
import { afterAll, describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-sqlite-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe('SQLite', () => {
  it('has what the catalogue needs of it', () => {
    const database = new Database(':memory:')
    database.exec(`
      CREATE VIRTUAL TABLE words USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2');
      CREATE VIRTUAL TABLE stems USING fts5vocab(words, instance);
      INSERT INTO words VALUES ('Détectives detecting')`)
    const terms = database.prepare('SELECT term FROM stems ORDER BY "offset"').pluck().all()
    expect(terms).toEqual(['detect', 'detect'])
    database.close()
  })
})

describe('without a library that fits', () => {
  const modules = join(scratch, 'node_modules')
  const root = join(modules, 'synoptic')
  const load = () => {
    rmSync(root, { recursive: true, force: true })
    cpSync(join(project, 'dist', 'base', 'util'), join(root, 'dist', 'base', 'util'), {
      recursive: true,
    })
    mkdirSync(join(root, 'tools', 'node20'), { recursive: true })
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    const module = pathToFileURL(join(root, 'dist', 'base', 'util', 'sqlite.js')).href
    const script = `import(${JSON.stringify(module)}).catch(({ code, message, remedy }) =>
      console.log(code, message, remedy))`
    return spawnSync(process.execPath, ['-e', script], { cwd: scratch, encoding: 'utf8' }).stdout
  }
  const expected =
    `ESQLITE SQLite does not load in Node ${process.versions.node}; run \`synoptic compile\` ` +
    'with it. synoptic compile\n'

  it('says what to run', () => {
    expect(load()).toBe(expected)
  })

  it('says so too where one is there that does not load', () => {
    const sqlite = join(modules, 'better-sqlite3')
    mkdirSync(sqlite)
    const script = "module.exports = class { constructor() { throw new Error('GLIBC_2.34') } }"
    writeFileSync(join(sqlite, 'index.js'), script)
    expect(load()).toBe(expected)
  })
})
