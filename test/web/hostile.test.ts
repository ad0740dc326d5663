/** Whatever a catalogue and an address hold is shown as text, and nothing breaks out of the page's width. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerChild } from '../serve/child.js'
import { createScene, executablePath, screenshot, type Scene } from './scene.js'
import { hostileWorks } from './works.js'

const cards = (page: Page) => page.locator('.cards:not(.skeleton) article')
const isHarmed = (page: Page) => page.evaluate(() => 'harmed' in window)
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe.skipIf(executablePath === undefined)('hostile texts', () => {
  let scene: Scene
  let server: ServerChild
  beforeAll(async () => {
    scene = await createScene(hostileWorks)
    server = await scene.serve()
  })
  afterAll(() => scene.close())

  it.each([320, 768, 1440])('of the catalogue are text in results at %i px', async (width) => {
    const task = async (page: Page) => {
      await cards(page).nth(3).waitFor()
      expect(await isHarmed(page)).toBe(false)
      const all = await page.locator('main').innerText()
      for (const text of ['<script>window.harmed = 1</script>', '<b>Bold</b>', '"><script>']) {
        expect(all).toContain(text)
      }
      expect(await page.locator('main script, main img, main style, main b').count()).toBe(0)
      expect(await overflow(page)).toBe(0)
      await screenshot(page, `hostile-${width}`, true)
    }
    await scene.open(`${server.origin}/?q=kettle`, task, { width })
  })

  it.each([1, 2, 3, 4])('of work %i are text on its page', async (id) => {
    const task = async (page: Page) => {
      await page.locator('.work').waitFor()
      expect(await isHarmed(page)).toBe(false)
      expect(await page.locator('main script, main img, main style').count()).toBe(0)
      expect(await overflow(page)).toBe(0)
      const links = await page
        .locator('main a')
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
      expect(links.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([])
      await screenshot(page, `hostile-work-${id}`)
    }
    await scene.open(`${server.origin}/?work=${id}`, task, { width: 320 })
  })

  it('complete as text', async () => {
    await scene.open(`${server.origin}/`, async (page) => {
      await page.locator('#box').fill('<script')
      await page.getByRole('option').first().waitFor()
      expect(await page.getByRole('option').first().innerText()).toContain('<script>window')
      expect(await isHarmed(page)).toBe(false)
    })
  })

  it('run from right to left where they are written so', async () => {
    await scene.open(`${server.origin}/?work=2`, async (page) => {
      await page.locator('.work h1').waitFor()
      const direction = await page
        .locator('.work h1')
        .evaluate((heading) => getComputedStyle(heading).direction)
      expect(direction).toBe('rtl')
    })
  })

  it.each([
    ['a script', '<script>window.harmed = 5</script>'],
    ['an image', '<img src=x onerror=window.harmed=6>'],
    ['2000 characters', 'kettle '.repeat(290).slice(0, 2000)],
    ['one long word', 'k'.repeat(1500)],
    ['marks that turn the text around', '\u202e\u2066kettle\u0000'],
  ])('of the address are text: %s', async (_, text) => {
    const address = `${server.origin}/?q=${encodeURIComponent(text)}&type=%3Cb%3E&tag.all=%3Cscript%3E`
    const task = async (page: Page) => {
      await page.locator('.cards:not(.skeleton), .state').first().waitFor()
      expect(await isHarmed(page)).toBe(false)
      expect(await overflow(page)).toBe(0)
      expect(await page.locator('.chips').innerText()).toContain('<script>')
    }
    await scene.open(address, task, { width: 320, expected: /400/ })
  })

  it('cannot be run even if they got into the page: its policy refuses them', async () => {
    const task = async (page: Page) => {
      const refused = page.waitForEvent('console', (line) => line.type() === 'error')
      await page.evaluate(() => {
        const script = document.createElement('script')
        script.textContent = 'window.harmed = 7'
        document.body.append(script)
      })
      await refused
      expect(await isHarmed(page)).toBe(false)
    }
    await scene.open(`${server.origin}/`, task, { expected: /Content Security Policy/ })
  })
})
