/** Somebody's list: an export goes into the page, stays in the browser, and gives recommendations. */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.js'
import { executablePath, screenshot, useSharedPages } from './scene.js'

const cards = (page: Page) => page.locator('.cards:not(.skeleton) article')
const titles = (page: Page) => cards(page).locator('h2').allInnerTexts()

/** Ids of MyAnimeList as the scene gives them. */
const malId = (id: number) => 90_000_000 + id
const entry = (id: number, status: string, score: number) =>
  `<anime><series_animedb_id>${malId(id)}</series_animedb_id><my_score>${score}</my_score>` +
  `<my_status>${status}</my_status></anime>`
const xml = `<?xml version="1.0"?><myanimelist>
${entry(101, 'Completed', 9)}${entry(103, 'Completed', 8)}${entry(4, 'Completed', 3)}
${entry(102, 'Plan to Watch', 0)}${entry(12345, 'Dropped', 0)}</myanimelist>`

const give = (page: Page, name: string, buffer: Buffer) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

describe.skipIf(executablePath === undefined)('my list', () => {
  const pages = useSharedPages()

  it.each([
    ['an export of MyAnimeList', 'list.xml', Buffer.from(xml)],
    ['a packed one', 'list.xml.gz', gzipSync(xml)],
  ])('takes %s, recommends by it, and hides what was seen', async (_, name, buffer) => {
    await pages.open('/', async (page) => {
      const sent: string[] = []
      page.on('request', (request) => sent.push(request.postData() ?? ''))
      await page.getByRole('button', { name: 'My list' }).click()
      await give(page, name, buffer)
      await page.getByText('4 works on your list. 1 other is not on this server.').waitFor()
      expect(await violations(page)).toEqual([])
      await screenshot(page, 'my-list')
      await page.getByRole('button', { name: 'Show works for me' }).click()
      await cards(page).first().waitFor()
      const found = await titles(page)
      expect(found.length).toBeGreaterThan(0)
      for (const known of ['Lighthouse 2', 'Lighthouse 4', 'Notebook of Endings', 'Lighthouse 3'])
        expect(found).not.toContain(known)
      expect(await cards(page).first().locator('.because').innerText()).toMatch(/^Like Lighthouse/)
      expect(await violations(page)).toEqual([])
      await screenshot(page, 'for-me')
      // Ids alone go to the server.
      expect(sent.join(' ')).not.toContain('my_status')

      await page.locator('#box').fill('a notebook that kills')
      await page.locator('#box').press('Enter')
      await page.getByRole('button', { name: 'For me. Remove.' }).click()
      await expect.poll(() => titles(page)).toContain('Notebook of Endings')
      const card = cards(page).filter({ hasText: 'Notebook of Endings' })
      expect(await card.locator('.badge').innerText()).toBe('Completed on your list')
      await page.getByRole('checkbox', { name: 'Hide what I have seen' }).check()
      await expect.poll(() => titles(page)).not.toContain('Notebook of Endings')

      await page.reload()
      await cards(page).first().waitFor()
      expect(await titles(page)).not.toContain('Notebook of Endings')
      await page.getByRole('button', { name: 'My list' }).click()
      await page.getByRole('button', { name: 'Forget my list' }).click()
      await page.getByRole('button', { name: 'Close' }).click()
      await expect.poll(() => titles(page)).toContain('Notebook of Endings')
      expect(await page.evaluate(() => localStorage.getItem('synoptic-list'))).toBeNull()
    })
  })

  it('takes an export of AniList, and says of another file what it expects', async () => {
    await pages.open('/?q=kettle', async (page) => {
      await page.getByRole('button', { name: 'My list' }).click()
      await give(page, 'notes.txt', Buffer.from('hello'))
      await page.getByText('This is not a list exported from MyAnimeList').waitFor()
      const works = [
        { mediaId: 1, status: 'COMPLETED', score: 85, media: { idMal: malId(1), type: 'ANIME' } },
      ]
      const list = { data: { MediaListCollection: { lists: [{ entries: works }] } } }
      await give(page, 'list.json', Buffer.from(JSON.stringify(list)))
      await page.getByText('1 work on your list.').waitFor()
      await page.keyboard.press('Escape')
      const badge = cards(page).filter({ hasText: 'Moon Kettle' }).locator('.badge')
      await expect.poll(() => badge.innerText()).toBe('Completed on your list')
    })
  })

  it('takes a file that is dropped on the page', async () => {
    await pages.open('/?q=kettle', async (page) => {
      await cards(page).first().waitFor()
      await page.evaluate((text) => {
        const data = new DataTransfer()
        data.items.add(new File([text], 'list.xml'))
        dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
      }, xml)
      await page.getByText('4 works on your list.').waitFor()
    })
  })
})
