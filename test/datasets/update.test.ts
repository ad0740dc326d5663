/** `data update` against a server on loopback: the whole chain, and what stops it. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataList } from '#synoptic/cli/data-list.js'
import { dataUpdate } from '#synoptic/cli/data-update.js'
import type { Command } from '#synoptic/cli/command.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { updateSettings } from '#synoptic/base/config/settings.js'
import { SettingsError } from '#synoptic/base/errors/index.js'
import { markServing, servingProcesses } from '#synoptic/base/util/serving-processes.js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openScene } from '../faults/scene.js'
import { ask } from '../serve/child.js'
import { startDumpServer, type DumpServer } from '../helpers/dump-server.js'
import { makeKnownSets } from './known/known-sets.js'
import { jsonlMapping, lines, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const sets = makeKnownSets(60)
const anime = 'anime-offline-database.jsonl'
const manga = 'series.sqlite.tar.gz'
const both = `${sets.text(anime).trimEnd()}\n`
const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

let server: DumpServer
beforeEach(async () => {
  server = await startDumpServer((name) => join(workshop.folder, 'downloads', `${name}.partial`))
  server.publish(anime, both)
  const dump = readFileSync(sets.path(manga))
  server.publish(manga, dump)
  server.publish(`${manga}.sha1`, createHash('sha1').update(dump).digest('hex'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

const words = () => [
  '--data-dir',
  workshop.folder,
  '--embeddings-dir',
  join(workshop.folder, 'embeddings'),
  '--mirror',
  server.url,
]

async function run(command: Command, ...argv: string[]) {
  const printed = { out: '', err: '' }
  const collect = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
    printed[stream] += String(text)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(collect('out'))
  vi.spyOn(process.stderr, 'write').mockImplementation(collect('err'))
  const { settings, rest } = readSettings(updateSettings, [...words(), ...argv], {})
  try {
    const own = command === dataUpdate ? rest : []
    return { status: await command.run(own, settings), ...printed }
  } finally {
    vi.restoreAllMocks()
  }
}
/** With the included works: most tests need not wait for these. */
const updateWithWorks = (...argv: string[]) => run(dataUpdate, ...argv)
const update = (...argv: string[]) => updateWithWorks('--works', 'off', ...argv)

test('fetches, imports, embeds, and keeps on which terms the data is had', async () => {
  const { status, out, err } = await updateWithWorks()
  expect(err).toBe('')
  expect(status).toBe(0)
  expect(out).toMatch(/^anime-offline-database: ODbL 1\.0.*\n.*Open Database License/)
  expect(out).toMatch(/MangaBaka: CC BY-NC-SA 4\.0/)
  expect(out).toMatch(/anime: \d+ of \d+ texts encoded with builtin\/static-en/)
  expect(out).toMatch(/No server of this data folder runs here.*SIGHUP/)
  expect(workshop.entries('anime')).toHaveLength(60)
  const [origin] = workshop.read((catalogue) => catalogue.origins('anime'))
  expect(origin).toMatchObject({ name: 'anime-offline-database', licence: 'ODbL 1.0 and DbCL 1.0' })
  expect((await run(dataList)).out).toMatch(/from MangaBaka \(https:.*\), CC BY-NC-SA 4\.0/)
})

test('a dump that has not changed is neither fetched nor imported again', async () => {
  await update()
  const before = statSync(workshop.catalogue).ino
  const { status, out } = await update()
  expect(status).toBe(0)
  expect(out).toMatch(/anime-offline-database: unchanged.*\nmangabaka: unchanged.*\nNothing has/)
  expect(statSync(workshop.catalogue).ino).toBe(before)
  expect(server.log.filter((line) => line.endsWith(' 200'))).toHaveLength(4)
  // Other settings make another catalogue of the same dump.
  expect((await updateWithWorks()).out).toMatch(/Written to/)
})

test('only what has changed is imported', async () => {
  await update()
  server.publish(anime, both.split('\n').slice(0, 31).join('\n'))
  const { out } = await update('--allow-shrink')
  expect(out).toMatch(/^anime: 30 entries/m)
  expect(out).toMatch(/^manga: \d+ entries, unchanged$/m)
  expect(workshop.entries('anime')).toHaveLength(30)
  expect(workshop.read((catalogue) => catalogue.origins('manga'))).toHaveLength(1)
})

test('a dump that has lost a tenth of its works is refused', async () => {
  await update('--from', 'anime-offline-database')
  const before = readFileSync(workshop.catalogue)
  server.publish(anime, both.split('\n').slice(0, 31).join('\n'))
  const { status, err } = await update('--from', 'anime-offline-database')
  expect(status).toBe(1)
  expect(err).toMatch(
    /expected at least 54 works of anime, found 30.*cut off; --allow-shrink.*\nThe catalogue is unchanged/,
  )
  expect(readFileSync(workshop.catalogue).equals(before)).toBe(true)
  server.publish(anime, both.split('\n').slice(0, 56).join('\n'))
  expect((await update('--from', 'anime-offline-database')).status).toBe(0)
  expect(workshop.entries('anime')).toHaveLength(55)
})

test('a map is renewed with what it shows, and made for nobody who has none', async () => {
  await update()
  const folder = (dataset: string) =>
    join(workshop.folder, 'embeddings', dataset, 'builtin', 'static-en')
  writeFileSync(join(folder('anime'), 'map.json'), '{}')
  server.publish(anime, both.split('\n').slice(0, 31).join('\n'))
  const { status, out } = await update('--allow-shrink')
  expect(status).toBe(0)
  expect(out).toMatch(/^anime: a map of \d+ works/m)
  expect(readFileSync(join(folder('anime'), 'map.json'), 'utf8')).toContain('datasetVersion')
  expect(out).not.toMatch(/^manga: a map/m)
  expect(existsSync(join(folder('manga'), 'map.json'))).toBe(false)
})

test('a wrong checksum changes nothing', async () => {
  await update('--from', 'anime-offline-database')
  const before = readFileSync(workshop.catalogue)
  server.publish(`${manga}.sha1`, '0'.repeat(40))
  const { status, err } = await update()
  expect(status).toBe(1)
  expect(err).toMatch(
    /series.sqlite.tar.gz: expected the SHA-1 0{40}.*\nThe catalogue is unchanged/,
  )
  expect(readFileSync(workshop.catalogue).equals(before)).toBe(true)
})

test('a dump that is damaged though its checksum is right changes nothing', async () => {
  server.publish(anime, both.slice(0, 200))
  const { status, err } = await update('--from', 'anime-offline-database')
  expect(status).toBe(1)
  expect(err).toMatch(/The catalogue is unchanged/)
  expect(existsSync(workshop.catalogue)).toBe(false)
})

test('a cut connection goes on by itself', async () => {
  server.cut(anime, 5000)
  const { status, err } = await update('--from', 'anime-offline-database')
  expect(status).toBe(0)
  expect(err).toMatch(/anime-offline-database: .*; retrying in/)
  expect(server.log).toContain(`${anime} 206 bytes=5000-`)
})

test('after a kill in the middle the same command goes on', async () => {
  const reached = server.hang(manga, 1000)
  const child = spawn(process.execPath, [cli, 'data', 'update', ...words()], { stdio: 'ignore' })
  await reached
  const partial = join(workshop.folder, 'downloads', `${manga}.partial`)
  await expect
    .poll(() => existsSync(partial) && statSync(partial).size, { timeout: 170_000 })
    .toBe(1000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(workshop.catalogue)).toBe(false)
  server.release()
  expect((await update()).status).toBe(0)
  expect(server.log).toContain(`${anime} 304`)
  expect(server.log).toContain(`${manga} 206 bytes=1000-`)
  expect(workshop.entries('manga').length).toBeGreaterThan(50)
})

test('after a kill between the import and the embeddings these are built', async () => {
  await update('--from', 'anime-offline-database')
  rmSync(join(workshop.folder, 'embeddings'), { recursive: true })
  const { status, out } = await update('--from', 'anime-offline-database')
  expect(status).toBe(0)
  expect(out).not.toMatch(/Written to/)
  expect(out).toMatch(/texts encoded with builtin\/static-en/)
})

test('after a kill before the reload servers reload all the same', async () => {
  // A server that does not come to its end: the signal kills this process in its place.
  const unmark = markServing(workshop.folder)
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw new Error('killed')
  })
  await expect(update('--from', 'anime-offline-database')).rejects.toThrow('killed')
  kill.mockRestore()
  unmark()
  const { out } = await update('--from', 'anime-offline-database')
  expect(out).not.toMatch(/Nothing has changed/)
  expect(out).toMatch(/reloads on SIGHUP/)
  expect((await update('--from', 'anime-offline-database')).out).toMatch(/Nothing has changed/)
})

test('datasets of your own are replaced only where you say so', async () => {
  workshop.write('own.jsonl', lines({ id: 1, title: 'Mine', text: 'A story.' }))
  await workshop.import(workshop.write('own.json', jsonlMapping('own')))
  const { status, err } = await update('--from', 'anime-offline-database')
  expect(status).toBe(1)
  expect(err).toMatch(/anime was imported from files of your own; --replace/)
  expect(server.log).toEqual([])
  expect((await update('--from', 'anime-offline-database', '--replace')).status).toBe(0)
})

test('a server of the data folder reloads', async () => {
  const { folder, origin } = await openScene(['--workers', '1'])
  const args = ['data', 'update', '--replace', '--works', 'off', '--mirror', server.url]
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const [status] = (await once(child, 'exit')) as [number]
  expect(status).toBe(0)
  expect(out).toMatch(/The server with process id \d+ reloads\./)
  const total = async () => {
    const { body } = await ask(origin, { model: 'builtin/static-en', description: 'time loop' })
    const { totalResults } = body.pagination as { totalResults: number }
    return totalResults
  }
  // The dump has no texts: works are found by titles and facts.
  await expect.poll(total, { timeout: 170_000 }).toBe(0)
  const response = await fetch(`${origin}/search/anime`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'a time loop film from 1971' }),
  })
  const { results } = (await response.json()) as { results: { id: number }[] }
  expect(results[0]?.id).toBe(1)
})

test('a process that has ended is no server of the folder', () => {
  const unmark = markServing(workshop.folder)
  expect(servingProcesses(workshop.folder)).toEqual([process.pid])
  unmark()
  expect(servingProcesses(workshop.folder)).toEqual([])
  const program = `
    import { markServing, servingProcesses } from '#synoptic/base/util/serving-processes.js'
    markServing(process.argv[1])
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['--input-type=module', '-e', program, workshop.folder])
  expect(readdirSync(workshop.folder).some((name) => name.startsWith('serving'))).toBe(true)
  expect(servingProcesses(workshop.folder)).toEqual([])
  expect(readdirSync(workshop.folder).filter((name) => name.startsWith('serving'))).toEqual([])
})

test.each([
  [['--from', 'anilist'], /--from: expected anime-offline-database, mangabaka, received "anilist"/],
  [['--mirror', 'ftp://a'], /--mirror: expected an http\(s\) address/],
  [['dump.json'], /expected options, received dump\.json/],
])('refuses the words %j', async (argv, message) => {
  await expect(update(...argv)).rejects.toThrow(SettingsError)
  await expect(update(...argv)).rejects.toThrow(message)
})
