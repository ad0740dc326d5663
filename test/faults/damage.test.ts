/** Files that decay: what needs them is out of service, and the command that the log names mends it. */
import {
  closeSync,
  openSync,
  readFileSync,
  readdirSync,
  readSync,
  statSync,
  truncateSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { synopticHere } from '../helpers/run-here.js'
import { ask, deathNote, startServer, type ServerChild } from '../serve/child.js'
import { until } from '../serve/load.js'
import { begunFolder, logOf, openScene, withoutSearch } from './scene.js'

/** By day the first damage of a kind. */
const nightly = { tags: ['nightly'] }
type Damage = readonly [name: string, damage: (path: string) => void]

const lean = ['--workers', '1', ...withoutSearch]

const catalogueOf = (folder: string) => join(folder, 'data', 'catalogue.sqlite')
const matrixOf = (folder: string) =>
  join(folder, 'embeddings', 'anime', 'builtin', 'static-en', 'synopsis.npy')

/** Changes bytes of a file in place. */
function change(path: string, at: number, count: number, changed: (byte: number) => number): void {
  const file = openSync(path, 'r+')
  const bytes = Buffer.alloc(count)
  readSync(file, bytes, 0, count, at)
  writeSync(file, Uint8Array.from(bytes, changed), 0, count, at)
  closeSync(file)
}

/** Flips the sign of every value of rows 65 to 114, far from both ends of the file. */
function flipSigns(path: string): void {
  const header = 10 + readFileSync(path).readUInt16LE(8)
  const rowBytes = 256 * 4
  let at = 0
  change(path, header + 65 * rowBytes, 50 * rowBytes, (byte) =>
    at++ % 4 === 3 ? byte ^ 0x80 : byte,
  )
}

const synoptic = (folder: string, ...args: string[]) => synopticHere(args, { cwd: folder })

/** Runs what a log offers as the remedy. */
function runRemedy(folder: string, log: string) {
  const [, words = ''] = /To fix it, run: synoptic ([^"\\]+)/.exec(log) ?? []
  return synoptic(folder, ...words.split(' '))
}

async function readiness({ origin }: ServerChild) {
  const response = await fetch(`${origin}/readyz`)
  const { status } = (await response.json()) as { status: string }
  return { code: response.status, status }
}
const textOf = async ({ origin }: ServerChild, path: string) =>
  (await fetch(`${origin}${path}`)).text()

const broken = { status: 503, body: { type: 'urn:synoptic:problem:embeddings-broken' } }

describe('a matrix whose middle is damaged', () => {
  it('while it is served is out of service, loudly, until a build has mended it', async () => {
    const server = await openScene()
    const { folder, origin } = server
    const before = await ask(origin, deathNote)
    expect(before.status).toBe(200)
    expect(await readiness(server)).toEqual({ code: 200, status: 'ok' })
    flipSigns(matrixOf(folder))
    // The first sees that the file was written to; the others that it is not what was written.
    for (let i = 0; i < 4; i++) expect(await ask(origin, deathNote)).toMatchObject(broken)
    expect((await ask(origin, deathNote, 'manga')).status).toBe(200)
    expect(await readiness(server)).toEqual({ code: 503, status: 'damaged' })
    expect(JSON.parse(await textOf(server, '/'))).toMatchObject({
      status: 'damaged',
      damaged: ['anime builtin/static-en'],
    })
    expect(await textOf(server, '/metrics')).toMatch(/^synoptic_damaged\{.*\} 1$/m)
    await until(() => logOf(server).includes('To fix it, run: '))

    const built = await runRemedy(folder, logOf(server))
    expect(built.code, built.stderr).toBe(0)
    await until(async () => (await ask(origin, deathNote)).status === 200)
    expect((await ask(origin, deathNote)).body.results).toEqual(before.body.results)
    expect(await readiness(server)).toEqual({ code: 200, status: 'ok' })
    expect(await textOf(server, '/metrics')).toMatch(/^synoptic_damaged\{.*\} 0$/m)
    expect(await server.stop()).toBe(0)
  })

  it('before the start is out of service from the start', async () => {
    const folder = await begunFolder()
    flipSigns(matrixOf(folder))
    const status = await synoptic(folder, 'embed', 'status')
    expect(status.stdout).toContain('damaged')
    const server = await startServer(folder, lean)
    expect(await readiness(server)).toEqual({ code: 503, status: 'damaged' })
    expect(await ask(server.origin, deathNote)).toMatchObject(broken)
    expect(server.output.stderr).toContain('To fix it, run: synoptic embed build')
    expect(await server.stop()).toBe(0)
  })
})

describe('a catalogue that is damaged', () => {
  const sample = ['anime', 'manga'].map((name) =>
    fileURLToPath(new URL(`../../data/sample/${name}.json`, import.meta.url)),
  )

  const damages: readonly Damage[] = [
    ['by one bit', (path) => change(path, statSync(path).size >> 1, 1, (byte) => byte ^ 4)],
    ['by a page of zeros', (path) => change(path, 20 * 16_384, 4096, () => 0)],
    ['in its hashes', (path) => change(path, statSync(path).size - 20, 1, (byte) => byte ^ 1)],
    ['at its very end', (path) => truncateSync(path, statSync(path).size - 1)],
  ]
  const isRefused = async ([, damage]: Damage) => {
    const folder = await begunFolder()
    damage(catalogueOf(folder))
    await expect(startServer(folder, lean)).rejects.toThrow(
      /the catalogue is damaged .*import your files again, .*`synoptic data import/,
    )
    const built = await synoptic(folder, 'embed', 'build', '--dataset', 'anime')
    expect(built.code).toBe(1)
    expect(built.stderr).toContain('the catalogue is damaged')
    expect((await synoptic(folder, 'data', 'import', '--works', 'off', ...sample)).code).toBe(0)
    const server = await startServer(folder, lean)
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  }
  const refused = '%s is refused by every command that reads it, and mended by an import'
  it.for(damages.slice(0, 1))(refused, isRefused)
  it.for(damages.slice(1))(refused, nightly, isRefused)

  it('while it is served answers 503, and /readyz says so', async () => {
    const server = await openScene(withoutSearch)
    const { folder, origin } = server
    expect((await ask(origin, deathNote)).status).toBe(200)
    truncateSync(catalogueOf(folder), 65_536)
    await until(async () => (await readiness(server)).code === 503)
    expect(await readiness(server)).toEqual({ code: 503, status: 'damaged' })
    const { status, body } = await ask(origin, { ...deathNote, description: 'giant robots' })
    expect({ status, type: body.type }).toEqual({
      status: 503,
      type: 'urn:synoptic:problem:catalogue-broken',
    })
    expect(JSON.stringify(body)).not.toContain('sqlite')
    expect(JSON.stringify(body)).not.toContain(folder)
    expect(await textOf(server, '/metrics')).toMatch(/^synoptic_damaged\{.*\} 1$/m)
    await until(() => /the catalogue is damaged .*synoptic data import/.test(logOf(server)))

    expect((await synoptic(folder, 'data', 'import', '--works', 'off', ...sample)).code).toBe(0)
    server.child.kill('SIGHUP')
    await until(async () => (await readiness(server)).code === 200)
    expect((await ask(origin, deathNote)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  it('only by its time serves on', async () => {
    const server = await openScene(withoutSearch)
    utimesSync(catalogueOf(server.folder), 1e9, 1e9)
    for (let i = 0; i < 3; i++) expect(await readiness(server)).toEqual({ code: 200, status: 'ok' })
    expect((await ask(server.origin, deathNote)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

describe('an index of rows that is damaged', () => {
  const indexOf = (folder: string) => {
    const name = readdirSync(join(folder, 'data')).find((file) => /anime-.*\.rows$/.test(file))
    return join(folder, 'data', name ?? 'none')
  }
  const lexical = { ...deathNote, mode: 'lexical' }

  const damages: readonly Damage[] = [
    ['by one bit', (path) => change(path, statSync(path).size >> 1, 1, (byte) => byte ^ 4)],
    ['in its hashes', (path) => change(path, statSync(path).size - 20, 1, (byte) => byte ^ 1)],
    ['at its very end', (path) => truncateSync(path, statSync(path).size - 1)],
  ]
  const isBuiltAgain = async ([, damage]: Damage) => {
    const folder = await begunFolder()
    const whole = readFileSync(indexOf(folder))
    damage(indexOf(folder))
    const server = await startServer(folder, lean)
    expect((await ask(server.origin, lexical)).status).toBe(200)
    expect(readFileSync(indexOf(folder)).equals(whole)).toBe(true)
    expect(server.output.stderr).toMatch(/index of rows is damaged .*built again/)
    expect(await server.stop()).toBe(0)
  }
  it.for(damages.slice(0, 1))('%s before the start is built again', isBuiltAgain)
  it.for(damages.slice(1))('%s before the start is built again', nightly, isBuiltAgain)

  it('while it is served answers 503, until it is built again and loaded', async () => {
    const server = await openScene(withoutSearch)
    const { folder, origin } = server
    const before = await ask(origin, lexical)
    expect(before.status).toBe(200)
    const index = indexOf(folder)
    change(index, statSync(index).size >> 1, 1, (byte) => byte ^ 4)
    await until(async () => (await readiness(server)).code === 503)
    expect(await ask(origin, lexical)).toMatchObject({
      status: 503,
      body: { type: 'urn:synoptic:problem:catalogue-broken' },
    })
    await until(() => /index of rows is damaged .*synoptic data index/.test(logOf(server)))
    const built = await synoptic(folder, 'data', 'index')
    expect(built.stderr).toBe('')
    expect(built.stdout).toMatch(/^anime: \d+ entries, [\d.]+ MB$/m)
    server.child.kill('SIGHUP')
    await until(async () => (await readiness(server)).code === 200)
    expect((await ask(origin, lexical)).body.results).toEqual(before.body.results)
    expect(await server.stop()).toBe(0)
  })
})
