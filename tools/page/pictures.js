/**
 * Pictures of the pages in all their states, in Chromium, to look at after a change:
 *
 *   node tools/page/pictures.js http://localhost:8000 FOLDER [STATE …]
 *   node tools/page/pictures.js http://localhost:8000 docs      the pictures of docs/ and of link previews
 *
 * The server serves the built-in works (`synoptic serve --rate-limit 0`).
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { states } from './states.js'

const [origin = '', folder = '', ...words] = process.argv.slice(2)
const sizes = { 390: 844, 1280: 800, 1920: 1080 }
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Name of the file, state, width, height, colours. */
const ofDocs = [
  ['docs/page', 'results', 1280, 800, 'light'],
  ['docs/page-dark', 'work', 1280, 900, 'dark'],
  ['docs/page-phone', 'results', 390, 844, 'light'],
  ['docs/page-map', 'map-of-results', 1280, 860, 'light'],
  ['web/preview', 'first', 1200, 630, 'light'],
].map(([name, ...rest]) => [join(root, name), ...rest])

function* ofAll() {
  mkdirSync(folder, { recursive: true })
  for (const state of words.length > 0 ? words : Object.keys(states))
    for (const [width, height] of Object.entries(sizes))
      for (const colorScheme of ['light', 'dark'])
        yield [join(folder, `${state}-${width}-${colorScheme}`), state, +width, height, colorScheme]
}

const executablePath = process.env.SYNOPTIC_TEST_BROWSER ?? '/usr/bin/chromium'
const args = ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader']
const browser = await chromium.launch({ executablePath, args })
for (const [file, state, width, height, colorScheme] of folder === 'docs' ? ofDocs : ofAll()) {
  const { path, before, then } = states[state]
  const viewport = { width, height }
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await before?.(page)
  await page.goto(new URL(path, `${origin}/`).href, { waitUntil: 'load' })
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
  await then?.(page)
  await page.waitForTimeout(400)
  await page.screenshot({ path: `${file}.png` })
  await context.close()
}
await browser.close()
