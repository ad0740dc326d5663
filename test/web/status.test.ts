/** The operators' view in a browser. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKnownSets } from '../datasets/known/known-sets.js'
import type { ServerChild } from '../serve/child.js'
import { violations } from './axe.js'
import { createScene, executablePath, screenshot, type Scene } from './scene.js'

const known = makeKnownSets(40)
const region = (page: Page, title: string) => page.getByRole('group', { name: title })
const countOf = async (row: Locator) => Number(await row.locator('td').first().innerText())
const patience = { timeout: 170_000, interval: 200 }

describe.skipIf(executablePath === undefined)('GET /status in a browser', () => {
  let scene: Scene
  let server: ServerChild
  beforeAll(async () => {
    scene = await createScene()
    server = await scene.serve(['--analytics', 'searches.jsonl'])
  })
  afterAll(() => scene.close())

  it.each([
    [320, 'light'],
    [1440, 'dark'],
    [1440, 'light'],
  ] as const)(
    'at %i px, %s: shows what the server does while it does it',
    async (width, scheme) => {
      const task = async (page: Page) => {
        await page.getByText('All is well.').waitFor()
        expect(await region(page, 'Datasets').innerText()).toContain('builtin/static-en')
        for (const query of ['kettle', 'lighthouse', '']) {
          await fetch(`${server.origin}/search/anime`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query }),
          })
        }
        const searches = region(page, 'Requests by route').getByRole('row', {
          name: /search.anime/,
        })
        // Each event of the page has what was counted until then.
        await expect.poll(() => countOf(searches), patience).toBeGreaterThanOrEqual(2)
        expect(await searches.innerText()).toMatch(/\d\s?(?:ms|µs|s)\b/)
        await region(page, 'Phases of searches')
          .getByRole('row', { name: /rerank/ })
          .waitFor()
        const faults = region(page, 'Refusals and faults')
        await faults.getByRole('row', { name: /invalid-request/ }).waitFor()
        const frequent = region(page, 'Frequent queries')
        await frequent.getByRole('row', { name: /kettle anime/ }).waitFor()
        // One word may be read as a title or as a description.
        await region(page, 'Times by kind of query')
          .getByRole('row', { name: /\d ms/ })
          .first()
          .waitFor()
        expect(await violations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        await screenshot(page, `status-${width}-${scheme}`, true)
      }
      await scene.open(`${server.origin}/status`, task, { width, colorScheme: scheme })
    },
  )

  it('lists sources with their licences, the last reload, and that no GPU is in use', async () => {
    const own = await createScene()
    try {
      own.run('data', 'import', '--works', 'off', known.path('anime-offline-database.jsonl'))
      own.run('embed', 'build')
      const served = await own.serve()
      const task = async (page: Page) => {
        const sources = page.getByRole('region', { name: 'Sources and licences' })
        const link = sources.getByRole('link', { name: /^anime-offline-database/ })
        await link.waitFor()
        expect(await link.getAttribute('href')).toMatch(/^https:\/\/github\.com\//)
        expect(await sources.innerText()).toContain('Open Database License')
        await page.getByText('No GPU in use.').waitFor()
        // Most servers have none: the reason does not stand under the heading.
        expect(await page.locator('main > .aside').first().innerText()).not.toContain('CUDA')
        await page.getByText('Why not').click()
        expect(await page.locator('details[open]').innerText()).toMatch(/CUDA/)
        await page.getByText('Not reloaded since its start.').waitFor()
        expect(await violations(page)).toEqual([])
        served.child.kill('SIGHUP')
        await page.getByText(/Last reload: .*, done\./).waitFor()
        // The page for people says the same below everything.
        await page.goto(served.origin)
        await page.getByText('Sources and licences').click()
        await page.getByRole('link', { name: /^anime-offline-database/ }).waitFor()
        expect(await violations(page)).toEqual([])
      }
      await own.open(`${served.origin}/status`, task)
    } finally {
      await own.close()
    }
  })

  it('shows what the server did before the page was opened', async () => {
    const busy = await scene.serve()
    for (const query of ['kettle', 'lighthouse', 'notebook']) {
      await fetch(`${busy.origin}/search/anime`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
    }
    await scene.open(`${busy.origin}/status`, async (page) => {
      const searches = region(page, 'Requests by route').getByRole('row', { name: /search.anime/ })
      await expect.poll(() => countOf(searches), patience).toBe(3)
    })
  })

  it('leads back to the search', async () => {
    await scene.open(`${server.origin}/status`, async (page) => {
      await page.getByRole('link', { name: 'Search', exact: true }).click()
      await page.locator('.question').waitFor()
    })
  })

  it('says that the connection is lost, and goes on when the server is back', async () => {
    const gone = await scene.serve()
    const task = async (page: Page) => {
      await page.getByText('All is well.').waitFor()
      // A stop does not wait for people who watch.
      expect(await gone.stop()).toBe(0)
      await page.getByText('Connection lost').waitFor()
      expect(await page.locator('h1').innerText()).toBe('The server is not responding.')
      await scene.serve(['--port', new URL(gone.origin).port])
      await page.getByText('Live', { exact: true }).waitFor()
    }
    await scene.open(`${gone.origin}/status`, task, { expected: /ERR_/ })
  })
})
