/** `synoptic backup`, `restore` and `data delete`, and the migration of a catalogue at the start. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pino from 'pino'
import { Database } from '#synoptic/base/util/sqlite.js'
import { markServing } from '#synoptic/base/util/serving-processes.js'
import { withBuildLock } from '#synoptic/base/util/build-lock.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { schemaVersion } from '#synoptic/data/catalogue/schema.js'
import { journalFile, lineOf, readJournal } from '#synoptic/data/writes/journal.js'
import { prepareWrites } from '#synoptic/server/serve/keep-writes.js'
import { synopticHere } from '../helpers/run-here.js'
import { importSample } from '../serve/sample.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-backup-'))
const home = join(scratch, 'home')
const dataDir = join(home, 'data')
const catalogue = join(dataDir, 'catalogue.sqlite')
let folders = 0
const newFolder = () => join(scratch, `folder-${(folders += 1)}`)

beforeAll(() => importSample(home))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const run = (at: string, ...words: readonly string[]) => synopticHere([...words, '--home', at])

function read<T>(at: string, action: (catalogue: ReturnType<typeof openCatalogue>) => T): T {
  const opened = openCatalogue(join(at, 'data', 'catalogue.sqlite'))
  try {
    return action(opened)
  } finally {
    opened.close()
  }
}
const versions = (at: string) => read(at, (one) => one.datasets().map(({ version }) => version))

const record = (seq: number, id: number) =>
  lineOf({ seq, at: 'now', operation: { kind: 'delete', dataset: 'anime', ids: [id] } })
const firstIdOf = (at: string) => read(at, (one) => one.entry('anime', 0).id)

describe('synoptic backup and restore', () => {
  it('restore all of it elsewhere, with the writes that wait', async () => {
    const id = firstIdOf(home)
    // The last line is torn: nobody was answered.
    writeFileSync(journalFile(dataDir), `${record(1, id)}${record(2, 5).slice(0, 30)}`)
    const folder = newFolder()
    expect(await run(home, 'backup', folder)).toMatchObject({ code: 0, stderr: '' })
    const other = newFolder()
    expect(await run(other, 'restore', folder)).toMatchObject({ code: 0, stderr: '' })
    expect(versions(other)).toEqual(versions(home))
    const journal = journalFile(join(other, 'data'))
    expect(readJournal(journal)).toMatchObject({ records: [{ seq: 1 }], tornBytes: 0 })
    expect((await run(other, 'embed', 'status')).stdout).toMatch(/current/)

    // Commands that change the catalogue apply them first.
    const deleted = await run(
      other,
      'data',
      'delete',
      'anime',
      String(firstIdOf(other)),
      '99999999',
    )
    expect(deleted.stdout).toBe('anime: 0 entries deleted; 2 ids are of no entry\n')
    expect(firstIdOf(other)).not.toBe(id)
    rmSync(journalFile(dataDir))
  })

  it('refuse a backup in which a byte has changed, and change nothing', async () => {
    const folder = newFolder()
    await run(home, 'backup', folder)
    const manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8')) as {
      files: { path: string }[]
    }
    expect(manifest.files.length).toBeGreaterThan(5)
    for (const { path } of manifest.files) {
      const file = join(folder, path)
      const whole = readFileSync(file)
      const changed = Buffer.from(whole)
      changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
      writeFileSync(file, changed)
      const other = newFolder()
      const { code, stderr } = await run(other, 'restore', folder)
      expect([code, stderr]).toEqual([1, expect.stringContaining('differs from its checksum')])
      expect(() => versions(other)).toThrow('there is no catalogue')
      writeFileSync(file, whole)
    }
  })

  it.each<[string, (folder: string) => void, RegExp]>([
    ['is half-written', (folder) => rmSync(join(folder, 'backup.json')), /not finished/],
    [
      'has a torn list',
      (folder) => writeFileSync(join(folder, 'backup.json'), '{"form'),
      /is damaged/,
    ],
    ['lacks a file', (folder) => rmSync(join(folder, 'data', 'catalogue.sqlite')), /is missing/],
    [
      'has a longer file',
      (folder) => appendFileSync(join(folder, 'data', 'catalogue.sqlite'), '.'),
      /differs/,
    ],
    [
      'names a file elsewhere',
      (folder) => {
        const file = join(folder, 'backup.json')
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace('data/catalogue.sqlite"', 'data/../../x"'),
        )
      },
      /is damaged/,
    ],
  ])('refuse a backup that %s', async (_, damage, problem) => {
    const folder = newFolder()
    await run(home, 'backup', folder)
    damage(folder)
    const { code, stderr } = await run(newFolder(), 'restore', folder)
    expect([code, stderr]).toEqual([1, expect.stringMatching(problem)])
  })

  it('refuse what would overwrite something', async () => {
    const folder = newFolder()
    await run(home, 'backup', folder)
    expect((await run(home, 'backup', folder)).stderr).toMatch(/is not empty/)
    expect((await run(home, 'restore', folder)).stderr).toMatch(/--force/)
    const unmark = markServing(dataDir)
    expect((await run(home, 'restore', '--force', folder)).stderr).toMatch(/is being served/)
    unmark()
    const before = versions(home)
    expect((await run(home, 'restore', '--force', folder)).code).toBe(0)
    expect(versions(home)).toEqual(before)
  })

  it('wait for an import that runs', async () => {
    const folder = newFolder()
    let backing: ReturnType<typeof run> | undefined
    await withBuildLock(catalogue, async () => {
      backing = run(home, 'backup', folder)
      await new Promise((resolve) => setTimeout(resolve, 700))
      expect(() => readFileSync(join(folder, 'backup.json'))).toThrow('ENOENT')
    })
    expect((await backing)?.code).toBe(0)
  })

  it.each([
    ['backup', []],
    ['restore', ['a', 'b']],
    ['data delete', ['Novels', '1']],
    ['data delete', ['anime']],
    ['data delete', ['anime', 'x1']],
  ])('refuse the words: %s %j', async (command, words) => {
    const { code, stderr } = await run(home, ...command.split(' '), ...words)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/expected/)])
  })
})

describe('a catalogue of an older schema', () => {
  it('is migrated at the start, and keeps its vectors', async () => {
    const old = newFolder()
    cpSync(home, old, { recursive: true })
    const database = new Database(join(old, 'data', 'catalogue.sqlite'))
    database.exec('DROP TABLE hashes_follow; DROP TABLE writes; PRAGMA user_version = 5')
    database.close()
    const settings = {
      dataDir: join(old, 'data'),
      embeddingsDir: join(old, 'embeddings'),
      modelsDir: 'models',
      device: 'cpu',
    }
    await prepareWrites(settings, pino({ level: 'silent' }))
    expect(read(old, (one) => one.datasets().map(({ rows }) => rows))).toEqual(
      read(home, (one) => one.datasets().map(({ rows }) => rows)),
    )
    expect((await run(old, 'embed', 'status')).stdout).not.toMatch(/stale/)
    const migrated = new Database(join(old, 'data', 'catalogue.sqlite'), { readonly: true })
    expect(migrated.pragma('user_version', { simple: true })).toBe(schemaVersion)
    migrated.close()
  })
})
