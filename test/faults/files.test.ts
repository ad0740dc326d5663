import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { synopticHere } from '../helpers/run-here.js'
import { ask, deathNote } from '../serve/child.js'
import { startLoad, until, type Load } from '../serve/load.js'
import { begunFolder, logOf, openScene, withoutSearch, type Scene } from './scene.js'

const matrixOf = ({ folder }: Scene) =>
  join(folder, 'embeddings', 'anime', 'builtin', 'static-en', 'synopsis.npy')
const more = async ({ outcomes }: Load, status: string) => {
  const seen = outcomes.get(status) ?? 0
  await until(() => (outcomes.get(status) ?? 0) > seen + 10)
}

describe('files of embeddings under load', () => {
  it('that are truncated fail their requests as broken, and serve again once they are back', async () => {
    const server = await openScene(withoutSearch)
    const whole = readFileSync(matrixOf(server))
    const load = startLoad(server.origin)
    for (let round = 0; round < 2; round++) {
      await more(load, '200')
      truncateSync(matrixOf(server), 4096)
      await more(load, '500')
      writeFileSync(matrixOf(server), whole)
      await more(load, '200')
    }
    const statuses = new Set(Object.keys(await load.stop()))
    for (const status of ['200', '500']) expect(statuses).toContain(status)
    expect(['200', '500', '503']).toEqual(expect.arrayContaining([...statuses]))
    expect(logOf(server)).toMatch(/embeddings-\w+; mend it with: synoptic embed build/)
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  it('that are replaced, or deleted, disturb nobody', async () => {
    const server = await openScene(withoutSearch)
    const load = startLoad(server.origin)
    await more(load, '200')
    copyFileSync(matrixOf(server), `${matrixOf(server)}.new`)
    renameSync(`${matrixOf(server)}.new`, matrixOf(server))
    await more(load, '200')
    rmSync(matrixOf(server))
    await more(load, '200')
    expect(Object.keys(await load.stop())).toEqual(['200'])
    expect(await server.stop()).toBe(0)
  })
})

describe('a catalogue', () => {
  it('that is deleted under load is served on', async () => {
    const server = await openScene(withoutSearch)
    const load = startLoad(server.origin)
    await more(load, '200')
    rmSync(join(server.folder, 'data', 'catalogue.sqlite'))
    await more(load, '200')
    server.child.kill('SIGHUP')
    await until(() => logOf(server).includes('the reload failed'))
    await more(load, '200')
    expect(Object.keys(await load.stop())).toEqual(['200'])
    expect(await server.stop()).toBe(0)
  })
})

describe('a log', () => {
  it('whose folder cannot be written costs one warning', async () => {
    // The user of the tests may be allowed to write anywhere, but not below a file.
    const server = await openScene([
      ...withoutSearch,
      '--log-file',
      './data/catalogue.sqlite/api.log',
    ])
    for (let i = 0; i < 5; i++) expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(logOf(server).match(/cannot be written/g)).toHaveLength(1)
    expect(logOf(server).match(/"path":"\/searchmodel\/anime"/g)).toHaveLength(5)
  })
})

const mounted: string[] = []
afterAll(() => mounted.forEach((folder) => spawnSync('umount', ['-l', folder])))

/** A disk of that size in KiB; undefined where mounting is not allowed. */
function mountDisk(folder: string, sizeKiB: number): string | undefined {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKiB}k`, 'synoptic', disk])
  if (status !== 0) return undefined
  mounted.push(disk)
  return disk
}
const grow = (disk: string, sizeKiB: number) =>
  spawnSync('mount', ['-o', `remount,size=${sizeKiB}k`, disk])

/** Leaves room for so many KiB on a disk of 1 MiB. */
function fill(disk: string, leftKiB: number): void {
  const file = openSync(join(disk, 'fill'), 'w')
  const block = Buffer.alloc(4096)
  try {
    for (let kib = 0; kib < 1024 - leftKiB; kib += 4) writeSync(file, block)
  } finally {
    closeSync(file)
  }
}

describe('a disk that is full', () => {
  it('fails a build of embeddings with its reason, harms none, and the next build succeeds', async ({
    skip,
  }) => {
    const folder = await begunFolder()
    const disk = mountDisk(folder, 128) ?? skip('mounting a small tmpfs is not allowed here')
    const build = () => synopticHere(['embed', 'build', '--embeddings-dir', disk], { cwd: folder })
    const full = await build()
    expect(full.code).toBe(1)
    expect(full.stderr).toMatch(/^error: \/.*disk.*: the disk is full \(ENOSPC\)/m)
    expect(existsSync(join(disk, 'anime', 'builtin', 'static-en', 'manifest.json'))).toBe(false)
    grow(disk, 65_536)
    const roomy = await build()
    expect(roomy.code, roomy.stderr).toBe(0)
    expect(existsSync(join(disk, 'anime', 'builtin', 'static-en', 'manifest.json'))).toBe(true)
  })

  it.for([0, 4, 8, 64, 512])(
    'with %i KiB left fails an import and a build with ENOSPC, and nothing is left aside',
    async (leftKiB, { skip }) => {
      const folder = await begunFolder()
      const disk = mountDisk(folder, 1024) ?? skip('mounting a small tmpfs is not allowed here')
      fill(disk, leftKiB)
      const run = (...words: string[]) => synopticHere(words, { cwd: folder })
      const sample = fileURLToPath(new URL('../../data/sample/anime.json', import.meta.url))
      const imported = await run('data', 'import', '--works', 'off', '--data-dir', disk, sample)
      expect(imported.code).toBe(1)
      expect(imported.stderr).toContain('cannot be written: the disk is full (ENOSPC)')
      expect(readdirSync(disk).sort()).toEqual(['catalogue.sqlite.lock', 'fill'])
      rmSync(join(disk, 'catalogue.sqlite.lock'))
      const built = await run('embed', 'build', '--embeddings-dir', disk)
      expect(built.code).toBe(1)
      expect(built.stderr).toContain('ENOSPC')
      expect(built.stderr).toContain(join(disk, 'anime'))
    },
  )

  it('costs the log one warning and the server nothing, and lines come again once there is room', async ({
    skip,
  }) => {
    const folder = await begunFolder()
    const disk = mountDisk(folder, 16) ?? skip('mounting a small tmpfs is not allowed here')
    const file = join(disk, 'api.log')
    const server = await openScene([...withoutSearch, '--log-file', file])
    const load = startLoad(server.origin)
    await until(() => logOf(server).includes('cannot be written'))
    await more(load, '200')
    grow(disk, 65_536)
    const full = readFileSync(file).length
    await until(() => readFileSync(file).length > full + 10_000)
    expect(Object.keys(await load.stop())).toEqual(['200'])
    expect(await server.stop()).toBe(0)
    expect(logOf(server).match(/cannot be written/g)).toHaveLength(1)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    for (const line of lines) expect(() => void JSON.parse(line)).not.toThrow()
  })
})
