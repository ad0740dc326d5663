/** The documentation as somebody sees it who tries it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withServer } from '../http/harness.js'
import { findBrowser } from './find-browser.js'

const executablePath = findBrowser()
if (executablePath === undefined) {
  console.warn('No Chromium in PATH or SYNOPTIC_TEST_BROWSER: the browser tests are skipped.')
}

/** No sandbox: it needs rights that containers seldom have. The rest keeps Chromium off the network. */
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

describe.skipIf(executablePath === undefined)('GET /docs in a browser', () => {
  let browser: Browser
  const scratch = mkdtempSync(join(tmpdir(), 'synoptic-browser-'))
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args })
  })
  afterAll(async () => {
    await browser.close()
    if (process.env.SYNOPTIC_KEEP_SCREENSHOTS === undefined) rmSync(scratch, { recursive: true })
  })

  async function withPage(task: (page: Page, origin: string) => Promise<void>): Promise<void> {
    await withServer({}, async ({ address }) => {
      const origin = `http://127.0.0.1:${address.port}`
      const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } })
      const requested: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      page.on('console', (line) => {
        if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(`${origin}/docs`, { waitUntil: 'networkidle' })
      await task(page, origin)
      expect(requested.length).toBeGreaterThan(4)
      for (const url of requested) expect(url).toMatch(new RegExp(`^(${origin}/|data:)`))
      expect(complaints).toEqual([])
      await page.close()
    })
  }

  it('shows what there is, by chapters', async () => {
    await withPage(async (page) => {
      expect(await page.title()).toBe('Synoptic API')
      await page.screenshot({ path: join(scratch, 'docs.png'), fullPage: true })
      const chapters = await page.locator('.opblock-tag-section h3').allInnerTexts()
      expect(chapters.length).toBeGreaterThan(2)
      for (const path of ['/searchmodel/anime', '/searchmodel/manga', '/', '/openapi.json']) {
        expect(await page.locator(`[data-path="${path}"]`).count()).toBe(1)
      }
    })
  })

  it('tries a search out', async () => {
    await withPage(async (page) => {
      const operation = page.locator('.opblock', {
        has: page.locator('[data-path="/searchmodel/anime"]'),
      })
      await operation.locator('.opblock-summary-control').click()
      await operation.getByRole('button', { name: 'Try it out' }).click()
      await operation.getByRole('button', { name: 'Execute' }).click()
      const answer = operation.locator('.live-responses-table')
      await answer.waitFor()
      expect(await answer.locator('.response-col_status').last().innerText()).toMatch(/^200/)
      expect(await answer.innerText()).toContain('"similarity"')
      await page.screenshot({ path: join(scratch, 'tried.png'), fullPage: true })
    })
  })
})
