/** Maps from the command to the answer: what is made, what is served, and what is not. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cli, startServer, type ServerChild } from '../serve/child.js'
import { importSample } from '../serve/sample.js'

interface MapAnswer {
  readonly dataset: string
  readonly extent: number
  readonly unplaced: number
  readonly families: readonly string[]
  readonly works: Readonly<Record<'id' | 'year' | 'family' | 'x' | 'y', readonly number[]>> & {
    readonly title: readonly string[]
  }
  readonly regions: readonly { readonly words: readonly string[] }[]
}

const waiting = { timeout: 170_000, interval: 100 }

let folder: string
let server: ServerChild
const run = (...words: string[]) =>
  spawnSync(process.execPath, [cli, ...words], { cwd: folder, encoding: 'utf8' })
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}${path}`, { headers })
const kept = (dataset: string) => join(folder, 'embeddings', dataset, 'builtin', 'static-en')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-maps-'))
  await importSample(folder)
  server = await startServer(folder, ['--workers', '1', '--rate-limit', '0'])
})
afterAll(async () => {
  await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe('GET /map', () => {
  it('says with which command a map is made, where there is none', async () => {
    const response = await get('/map/anime')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      type: 'urn:synoptic:problem:map-missing',
      detail: 'There is no map of the anime dataset as it is now.',
    })
  })

  it('shows a map without a restart, once embed build --map has made it', async () => {
    const { status, stdout } = run('embed', 'build', '--map')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^anime: a map of \d+ works/m)
    expect(stdout).toMatch(/^manga: a map of \d+ works/m)
    const response = await get('/map/anime')
    expect(response.status).toBe(200)
    const map = (await response.json()) as MapAnswer
    const { entries } = await (
      (await get('/')).json() as Promise<{ datasets: { anime: { entries: number } } }>
    ).then(({ datasets }) => datasets.anime)
    const all = (await (await get('/map/anime?adult=true')).json()) as MapAnswer
    expect(all.works.id.length + all.unplaced).toBe(entries)
    expect(map.works.id.length).toBeLessThanOrEqual(all.works.id.length)
    const columns = [map.works.title, map.works.year, map.works.family, map.works.x, map.works.y]
    expect(new Set(columns.map(({ length }) => length))).toEqual(new Set([map.works.id.length]))
    expect(map.regions.length).toBeGreaterThan(3)
    const [id] = map.works.id
    const entry = (await (await get(`/entries/anime/${id}`)).json()) as { title: string }
    expect(entry.title).toBe(map.works.title[0])
  })

  it('is revalidated, and compressed only for who takes that', async () => {
    const first = await get('/map/manga', { 'accept-encoding': 'gzip' })
    expect(first.headers.get('content-encoding')).toBe('gzip')
    const tag = first.headers.get('etag') ?? ''
    const plain = await get('/map/manga', { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.json()).toEqual(await first.json())
    const again = await get('/map/manga', { 'if-none-match': tag })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    const other = await get('/map/anime', { 'if-none-match': tag })
    expect(other.status).toBe(200)
    await other.arrayBuffer()
  })

  it.each([
    ['adult=perhaps', 'adult'],
    ['colour=year', 'colour'],
  ])('refuses ?%s', async (query, path) => {
    const response = await get(`/map/anime?${query}`)
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toContain(path)
  })

  it('makes the same map again', () => {
    const bodies = () => readdirSync(kept('anime')).filter((name) => name.startsWith('map-'))
    const before = bodies()
    expect(run('embed', 'build', '--map', '--dataset', 'anime').status).toBe(0)
    expect(bodies()).toEqual(before)
  })

  it('serves no damaged map, and makes it again on request', async () => {
    const { general } = JSON.parse(readFileSync(join(kept('manga'), 'map.json'), 'utf8')) as {
      general: { file: string }
    }
    const file = join(kept('manga'), general.file)
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length - 7))
    // A manifest that was touched is read again.
    const manifest = join(kept('manga'), 'map.json')
    writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}\n`)
    expect((await get('/map/manga')).status).toBe(404)
    expect(run('embed', 'build', '--map', '--dataset', 'manga').status).toBe(0)
    expect((await get('/map/manga')).status).toBe(200)
  })

  it('serves no map of other works, and renews it after a reload while the server runs', async () => {
    const before = (await (await get('/map/anime?adult=true')).json()) as MapAnswer
    const file = join(folder, 'more.jsonl')
    const rows = Array.from({ length: 40 }, (_, at) => ({
      id: 90_000 + at,
      title: `Lighthouse ${at}`,
      synopsis: `Keeper ${at} of a lighthouse waits for a ship.`,
    }))
    writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
    writeFileSync(
      join(folder, 'more.json'),
      JSON.stringify({
        dataset: 'anime',
        file: 'more.jsonl',
        format: 'jsonl',
        fields: { id: 'id', title: 'title' },
        texts: { synopsis: 'synopsis' },
      }),
    )
    expect(run('data', 'import', 'more.json', '--works', 'off').status).toBe(0)
    expect(run('embed', 'build', '--dataset', 'anime').status).toBe(0)
    server.child.kill('SIGHUP')
    await vi.waitFor(async () => {
      const response = await get('/map/anime?adult=true')
      const map = response.status === 200 ? ((await response.json()) as MapAnswer) : undefined
      expect(map?.works.title).toContain('Lighthouse 7')
      expect(map?.works.id.length).not.toBe(before.works.id.length)
    }, waiting)
  })
})

describe('a map that is wanted', () => {
  it('is made while a server runs with several workers, and given up when it stops', async () => {
    const wanted = join(kept('manga'), 'map.json')
    rmSync(wanted)
    writeFileSync(wanted, '{}\n')
    const several = await startServer(folder, ['--workers', '2', '--rate-limit', '0'])
    try {
      await vi.waitFor(async () => {
        const response = await fetch(`${several.origin}/map/manga`)
        await response.arrayBuffer()
        expect(response.status).toBe(200)
      }, waiting)
    } finally {
      expect(await several.stop()).toBe(0)
    }
    rmSync(wanted)
    writeFileSync(wanted, '{}\n')
    const brief = await startServer(folder, ['--workers', '1'])
    expect(await brief.stop()).toBe(0)
    expect(readdirSync(kept('manga')).filter((name) => name.startsWith('.map-'))).toEqual([])
    // Nobody has made it, or it was made whole.
    const text = readFileSync(wanted, 'utf8')
    expect(text === '{}\n' || existsSync(join(kept('manga'), bodyOf(text)))).toBe(true)
  })

  it('is not made where no map is served', async () => {
    const wanted = join(kept('manga'), 'map.json')
    writeFileSync(wanted, '{}\n')
    const words = ['--workers', '1', '--enable-routes', 'health,search']
    const quiet = await startServer(folder, words)
    expect((await fetch(`${quiet.origin}/map`)).status).toBe(404)
    expect((await fetch(`${quiet.origin}/map/manga`)).status).toBe(404)
    expect(await quiet.stop()).toBe(0)
    expect(readFileSync(wanted, 'utf8')).toBe('{}\n')
  })
})

const bodyOf = (manifest: string) =>
  (JSON.parse(manifest) as { general: { file: string } }).general.file
