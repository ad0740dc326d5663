/** A real server over a catalogue of works that have everything, and a real Chromium in front of it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { findBrowser } from '../browser/find-browser.js'
import { copyMadeOnce } from '../helpers/made-once.js'
import { connectChromium, sharedServer, type SharedServer } from '../helpers/shared.js'
import { cli, startServer, type ServerChild } from '../serve/child.js'
import { works, type WorkRow } from './works.js'

export const executablePath = findBrowser()
if (executablePath === undefined) {
  console.warn('No Chromium in PATH or SYNOPTIC_TEST_BROWSER: the tests of the page are skipped.')
}

interface Look extends BrowserContextOptions {
  readonly width?: number
  /** Another origin that may be used. */
  readonly other?: string
  /** Complaints that belong to the state under test, such as a failed request. */
  readonly expected?: RegExp
}

export interface Scene {
  readonly folder: string
  /** Runs a command in its folder. */
  run(...words: string[]): void
  /** A server with the usual works that several files share; nobody stops it. */
  shared(): Promise<SharedServer>
  /** Starts a server with the catalogue; it is stopped with the scene. */
  serve(words?: readonly string[]): Promise<ServerChild>
  /**
   * Opens an address in a page of its own. In the end nothing was requested from another origin, the policy was not
   * broken, and nothing was complained of but what was expected.
   */
  open(address: string, task: (page: Page) => Promise<void>, look?: Look): Promise<void>
  close(): Promise<void>
}

export async function createScene(rows: readonly WorkRow[] = works): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-page-'))
  if (rows === works) await copyPage(folder)
  else await importWorks(folder, rows)
  const browser = await connectChromium(executablePath ?? '')
  const servers: ServerChild[] = []
  return {
    folder,
    run: (...words) => run(folder, ...words),
    shared: () => sharedServer('page', ['--workers', '1', '--rate-limit', '0'], copyPage),
    async serve(words = []) {
      const server = await startServer(folder, ['--workers', '1', ...words])
      servers.push(server)
      return server
    },
    open: (address, task, look = {}) => openPage(browser, address, task, look),
    async close() {
      await browser.close()
      await Promise.all(servers.map((server) => server.stop('SIGKILL')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface SharedPages {
  /** Of the server that several files share. */
  readonly origin: string
  /** As `open` of a scene, with an address on that server. */
  open: Scene['open']
}

/** Pages of the usual works, for the tests of a `describe`. */
export function useSharedPages(): SharedPages {
  let scene: Scene
  let origin = ''
  beforeAll(async () => {
    scene = await createScene()
    origin = (await scene.shared()).origin
  })
  afterAll(() => scene.close())
  return {
    get origin() {
      return origin
    },
    open: (address, task, look) => scene.open(new URL(address, origin).href, task, look),
  }
}

const copyPage = (folder: string) =>
  copyMadeOnce('page', folder, (made) => importWorks(made, works))

async function openPage(
  browser: Browser,
  address: string,
  task: (page: Page) => Promise<void>,
  { width = 1280, expected, other, ...options }: Look,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options })
  const page = await context.newPage()
  // Who hangs is ended by the test's own limit.
  page.setDefaultTimeout(30_000)
  const requested: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text())
  })
  await page.goto(address)
  await page.locator('main').waitFor()
  await task(page)
  const { origin } = new URL(address)
  const allowed = [origin, other]
  expect(requested.filter((url) => !allowed.includes(new URL(url).origin))).toEqual([])
  expect(complaints.filter((text) => expected?.test(text) !== true)).toEqual([])
  await context.close()
}

async function importWorks(folder: string, rows: readonly WorkRow[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const dataset of ['anime', 'manga'] as const) {
    // No site has ids so high.
    const own = rows
      .filter((row) => row.dataset === dataset)
      .map((row) => ({ ...row, mal: 90_000_000 + row.id }))
    writeFileSync(
      join(folder, `${dataset}.jsonl`),
      own.map((row) => JSON.stringify(row)).join('\n'),
    )
    writeFileSync(join(folder, `${dataset}.json`), JSON.stringify(mappingOf(dataset, own)))
  }
  run(folder, 'data', 'import', 'anime.json', 'manga.json', '--works', 'off')
  run(folder, 'embed', 'build')
}

function run(cwd: string, ...words: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [cli, ...words], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

interface Source {
  readonly from: string
  readonly as: string
}

/** Names the members that some row has, and no others. */
function mappingOf(dataset: string, rows: readonly WorkRow[]) {
  const present = new Set(rows.flatMap((row) => Object.keys(row)))
  const named = (members: Record<string, string | Source>) => {
    const pairs = Object.entries(members)
    const fieldOf = (from: string | Source) => (typeof from === 'string' ? from : from.from)
    return Object.fromEntries(pairs.filter(([, from]) => present.has(fieldOf(from))))
  }
  const titles = ['titleEnglish', 'titleJapanese'].filter((name) => present.has(name))
  return {
    dataset,
    file: `${dataset}.jsonl`,
    format: 'jsonl',
    fields: {
      ...named({ id: 'id', title: 'title', type: 'type', year: 'year' }),
      ...named({ genres: 'genres', score: 'score', episodes: 'episodes', studios: 'studios' }),
      ...named({ source: 'source', audience: 'audience', franchise: 'franchise' }),
      ...named({ relation: 'relation', tags: 'tags', adult: 'adult' }),
      ...(titles.length > 0 && { titles }),
    },
    metadata: named({
      titleEnglish: 'titleEnglish',
      titleJapanese: 'titleJapanese',
      cover: 'cover',
      url: 'url',
      malId: { from: 'mal', as: 'integer' },
    }),
    texts: named({ synopsis: 'synopsis', 'in other words': 'others', spoilers: 'spoilers' }),
  }
}

/** For people who change the page: SYNOPTIC_SCREENSHOTS names a folder. */
export async function screenshot(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = process.env.SYNOPTIC_SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage })
}
