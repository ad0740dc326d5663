/** The documentation as somebody sees it who tries it. */
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectChromium, type SharedServer } from '../helpers/shared.js'
import { worksServer } from '../serve/sample.js'
import { findBrowser } from './find-browser.js'

const executablePath = findBrowser()
if (executablePath === undefined) {
  console.warn('No Chromium in PATH or SYNOPTIC_TEST_BROWSER: the browser tests are skipped.')
}

interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

describe.skipIf(executablePath === undefined)('GET /docs in a browser', () => {
  let browser: Browser
  let server: SharedServer
  beforeAll(async () => {
    server = await worksServer()
    browser = await connectChromium(executablePath ?? '')
  })
  afterAll(() => browser.close())

  /** Opens the page; in the end nothing was requested from another origin, and nothing was complained of. */
  async function withPage(
    task: (page: Page) => Promise<void>,
    { width, colorScheme }: Look = { width: 1280, colorScheme: 'light' },
  ): Promise<void> {
    const page = await browser.newPage({ viewport: { width, height: 1000 }, colorScheme })
    // Who hangs is ended by the test's own limit.
    page.setDefaultTimeout(0)
    const requested: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (line) => {
      if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text())
    })
    await page.goto(`${server.origin}/docs`, { waitUntil: 'networkidle' })
    await task(page)
    expect(requested).toContain(`${server.origin}/openapi.json`)
    expect(
      requested.filter((url) => !url.startsWith(`${server.origin}/`) && !isInline(url)),
    ).toEqual([])
    expect(complaints).toEqual([])
    await page.close()
  }

  it('shows what there is, by chapters', async () => {
    await withPage(async (page) => {
      expect(await page.title()).toBe('Synoptic API')
      expect(await page.locator('h1, h2').first().innerText()).toContain('Synoptic')
      const headings = await page.locator('h3.opblock-tag').all()
      const chapters = await Promise.all(headings.map((one) => one.getAttribute('data-tag')))
      expect(chapters).toEqual([
        'Description similarity',
        'Search',
        'More like this',
        'Browse',
        'Drop-in shapes',
        'Models',
        'Health',
        'Documentation',
      ])
      await screenshot(page, 'overview')
    })
  })

  it('fits a phone, and is dark where the browser is', async () => {
    const look = async (page: Page) => {
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360)
      const description = await page.locator('.opblock-tag small').first().boundingBox()
      expect(description?.width).toBeGreaterThan(250)
      expect(await page.locator('html.dark-mode').count()).toBe(1)
      await screenshot(page, 'phone')
    }
    await withPage(look, { width: 360, colorScheme: 'dark' })
  })

  it.each([
    ['/searchmodel/anime', 'Death Note'],
    ['/searchmodel/manga', 'Berserk'],
    ['/search/anime', 'Death Note'],
    ['/search/manga', 'Berserk'],
  ])('tries %s out', async (path, title) => {
    await withPage(async (page) => {
      const { status, body } = await tryOut(page, path)
      expect(status).toMatch(/^200/)
      expect(body).toContain(`"title": "${title}"`)
      await screenshot(page, path)
    })
  })

  it('tries a parameter with slashes out', async () => {
    await withPage(async (page) => {
      const fill = (operation: Locator) =>
        operation.getByPlaceholder('name').fill('builtin/static-en')
      const { status, body } = await tryOut(page, '/models/{name}', fill)
      expect(status).toMatch(/^200/)
      expect(body).toContain('"dimension": 256')
    })
  })
})

const isInline = (url: string) => url.startsWith('data:')

/** Opens an operation, executes it and reads what Swagger UI shows of the answer. */
async function tryOut(
  page: Page,
  path: string,
  fill: (operation: Locator) => Promise<void> = () => Promise.resolve(),
) {
  const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await fill(operation)
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table .response')
  await answer.waitFor()
  return {
    status: await answer.locator('.response-col_status').innerText(),
    body: await answer.locator('.highlight-code').first().innerText(),
  }
}

/** For people who change the page: SYNOPTIC_SCREENSHOTS names a folder. */
async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SYNOPTIC_SCREENSHOTS
  if (folder === undefined) return
  await page.screenshot({ path: join(folder, `${name.replaceAll('/', '-')}.png`), fullPage: true })
}
