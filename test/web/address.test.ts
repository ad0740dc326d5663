/** The address holds the whole query: back, reload and sharing, more results, filters, and a proxy's prefix. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.js'
import { executablePath, screenshot, useSharedPages } from './scene.js'

const cards = (page: Page) => page.locator('.cards:not(.skeleton) article')
const titles = (page: Page) => cards(page).locator('h2').allInnerTexts()
const addressOf = (page: Page) => new URL(page.url()).searchParams

describe.skipIf(executablePath === undefined)('the address of the page', () => {
  const pages = useSharedPages()

  it('goes back and forward through searches, works and the beginning', async () => {
    await pages.open('/', async (page) => {
      await page.locator('#box').fill('a tinker mends kettles')
      await page.locator('#box').press('Enter')
      await cards(page).first().waitFor()
      const found = await titles(page)
      await cards(page).first().locator('h2 a').click()
      await page.locator('.work').waitFor()
      await page.goBack()
      await cards(page).first().waitFor()
      expect(await titles(page)).toEqual(found)
      await page.goBack()
      await page.locator('.question').waitFor()
      expect(await page.locator('#box').inputValue()).toBe('')
      await page.goForward()
      await cards(page).first().waitFor()
      expect(await page.locator('#box').inputValue()).toBe('a tinker mends kettles')
      expect(await page.title()).toBe('a tinker mends kettles · Synoptic')
    })
  })

  it('ends the title of a tab with an ellipsis where the query is long', async () => {
    const query = 'a tinker mends kettles for everybody who has ever drunk tea in the harbour'
    await pages.open(`/?q=${query.replaceAll(' ', '+')}`, async (page) => {
      await cards(page).first().waitFor()
      expect(await page.title()).toBe(`${query.slice(0, 59)}… · Synoptic`)
    })
  })

  it('shows more without a repeat, also after a reload', async () => {
    await pages.open('/?q=keeper+of+a+lighthouse', async (page) => {
      await cards(page).first().waitFor()
      expect(await cards(page).count()).toBe(10)
      await page.getByRole('button', { name: 'Show more' }).click()
      await cards(page).nth(10).waitFor()
      const found = await titles(page)
      expect(found).toHaveLength(20)
      expect(new Set(found).size).toBe(20)
      await page.reload()
      await cards(page).nth(19).waitFor()
      expect(await titles(page)).toEqual(found)
    })
  })

  it('groups a franchise into one card with its films and seasons inside', async () => {
    await pages.open('/?q=a+tinker+mends+kettles', async (page) => {
      await cards(page).first().waitFor()
      const kettles = (await titles(page)).filter((title) => title.includes('Kettle'))
      expect(kettles).toHaveLength(1)
      const inSeries = cards(page).first().getByRole('button', { name: '+2 in this series' })
      await inSeries.click()
      expect(await cards(page).first().locator('.franchise').innerText()).toContain('The Film')
      expect(await violations(page)).toEqual([])
    })
  })

  it('says the kind of a work once in its franchise', async () => {
    await pages.open('/?work=1', async (page) => {
      const film = page.locator('.order li', { hasText: 'The Film' })
      expect(await film.locator('.aside').innerText()).toBe('Movie')
      const sequel = page.locator('.order li', { hasText: 'Moon II' })
      expect(await sequel.locator('.aside').innerText()).toBe('TV, Sequel')
    })
  })

  it('cuts no letter of a title in a font whose letters are tall', async () => {
    const tall = `@font-face { font-family: Tall; src: local('DejaVu Serif'), local('Liberation Serif');
      ascent-override: 116%; descent-override: 29% } .card h2 { font-family: Tall !important }`
    const task = async (page: Page) => {
      await cards(page).first().waitFor()
      await page.addStyleTag({ content: tall })
      await page.evaluate(() => document.fonts.ready)
      const hidden = await page
        .locator('.card h2')
        .first()
        .evaluate((title) => title.scrollHeight - title.clientHeight)
      expect(hidden).toBeLessThanOrEqual(0)
    }
    await pages.open('/?q=kettle', task, { bypassCSP: true })
  })

  it('marks the words that mattered and says what fits', async () => {
    await pages.open('/?q=calm+ghosts+in+kettles', async (page) => {
      await cards(page).first().waitFor()
      expect((await cards(page).first().locator('mark').allInnerTexts()).join(' ')).toMatch(
        /kettle/i,
      )
      expect(await cards(page).first().locator('.fits').innerText()).toContain('calm')
    })
  })

  it('filters by what is clicked, and shares it', async () => {
    let shared = ''
    await pages.open('/?q=kettle', async (page) => {
      await cards(page).first().waitFor()
      const filters = page.getByRole('complementary', { name: 'Filters' })
      await filters.getByLabel(/Movie/).check()
      await filters.getByLabel('from', { exact: true }).fill('2000')
      await filters.getByLabel('from', { exact: true }).press('Enter')
      await filters.getByLabel('Find a tag').fill('epi')
      await filters.getByRole('button', { name: /^epic/ }).click()
      await expect.poll(() => addressOf(page).get('tag.all')).toBe('epic')
      await expect.poll(() => titles(page)).toEqual(['Kettle of the Moon: The Film'])
      shared = page.url()
    })
    await pages.open(shared, async (page) => {
      await cards(page).first().waitFor()
      expect(await titles(page)).toEqual(['Kettle of the Moon: The Film'])
      expect(await page.locator('.chip.filter').allInnerTexts()).toEqual([
        'Movie',
        'from 2000',
        'epic',
      ])
      await page.getByRole('group', { name: 'epic' }).getByRole('button', { name: 'not' }).click()
      await expect.poll(() => addressOf(page).get('tag.none')).toBe('epic')
      await expect.poll(() => titles(page)).not.toContain('Kettle of the Moon: The Film')
    })
  })

  it('shows filters before the first query, and searches with them', async () => {
    await pages.open('/?type=movie&from=1990', async (page) => {
      await page.locator('.question').waitFor()
      const filters = page.locator('.chip.filter')
      expect(await filters.allInnerTexts()).toEqual(['Movie', 'from 1990'])
      expect(await violations(page)).toEqual([])
      await screenshot(page, 'first-filtered')
      await filters.filter({ hasText: '1990' }).click()
      await page.locator('#box').fill('kettle')
      await page.locator('#box').press('Enter')
      await expect.poll(() => titles(page)).toEqual(['Kettle of the Moon: The Film'])
      expect(new URL(page.url()).search).toBe('?q=kettle&type=movie')
    })
  })

  it.each(['0', '-5', '12345', '1990.5'])('says that %s is no year, and goes on', async (word) => {
    await pages.open('/?q=kettle&from=1990', async (page) => {
      await cards(page).first().waitFor()
      const year = page.getByRole('spinbutton', { name: /^from/ })
      await year.fill(word)
      await year.press('Tab')
      await page.getByText('A year is a whole number from 1 to 9999.').waitFor()
      expect(await year.getAttribute('aria-invalid')).toBe('true')
      expect(await year.inputValue()).toBe(word)
      expect(addressOf(page).get('from')).toBe('1990')
      expect(await violations(page)).toEqual([])
      await screenshot(page, 'no-year')
      await year.fill('2001')
      await year.press('Tab')
      await expect.poll(() => addressOf(page).get('from')).toBe('2001')
      expect(await page.getByText('A year is').count()).toBe(0)
    })
  })

  it('says that no tag, genre or studio has such a name, and what the numbers count', async () => {
    await pages.open('/?q=kettle&genre.none=Drama', async (page) => {
      await cards(page).first().waitFor()
      await page
        .getByText('Numbers count the results of this search. A filter may find more.')
        .waitFor()
      for (const [field, words] of [
        ['tag', 'No tag has “zzz” in its name.'],
        ['genre', 'No other genre has “zzz” in its name.'],
        ['studio', 'No studio has “zzz” in its name.'],
      ] as const) {
        await page.getByLabel(`Find a ${field}`).fill('zzz')
        await page.getByText(words).waitFor()
        await page.getByLabel(`Find a ${field}`).fill('')
        await page.getByText(words).waitFor({ state: 'detached' })
      }
    })
  })

  it('filters by audience and studio', async () => {
    await pages.open('/?q=a+story', async (page) => {
      await cards(page).first().waitFor()
      const filters = page.getByRole('complementary', { name: 'Filters' })
      await filters.getByLabel(/Shounen/).check()
      await expect.poll(() => titles(page)).toEqual(['Notebook of Endings'])
      await filters.getByLabel('Find a studio').fill('madh')
      await filters.getByLabel(/Madhouse/).check()
      await expect.poll(() => addressOf(page).get('studio')).toBe('Madhouse')
      await page.locator('.chip', { hasText: 'Shounen' }).click()
      await filters.getByLabel(/Madhouse/).uncheck()
      await expect.poll(() => titles(page).then(({ length }) => length)).toBeGreaterThan(1)
    })
  })

  it('leaves out works for adults until they are requested', async () => {
    await pages.open('/?q=only+us+at+the+pool', async (page) => {
      await cards(page).first().waitFor()
      expect(await titles(page)).not.toContain('Only Us at the Pool')
      await page.getByLabel('Include adult works').check()
      await expect.poll(() => titles(page)).toContain('Only Us at the Pool')
    })
  })

  it('searches for more like a work, and for others', async () => {
    await pages.open('/?q=kettle', async (page) => {
      const { origin } = pages
      await cards(page).first().waitFor()
      const first = await cards(page).first().locator('h2').innerText()
      await cards(page).first().getByRole('button', { name: 'Less like this' }).click()
      await page.getByRole('button', { name: `Less like ${first}. Remove.` }).waitFor()
      await expect.poll(() => titles(page)).not.toContain(first)
      expect(addressOf(page).get('q')).toBe('kettle')
      await page.goto(`${origin}/?q=kettle`)
      await cards(page).first().getByRole('button', { name: 'More like this' }).click()
      const chip = page.getByRole('button', { name: `More like ${first}. Remove.` })
      await chip.waitFor()
      await expect.poll(() => titles(page)).not.toContain(first)
      await chip.press('Delete')
      await expect.poll(() => titles(page)).toContain(first)
    })
  })

  it('copies the search as a command, which finds the same', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    await pages.open(
      '/?q=it%27s+a+kettle',
      async (page) => {
        await cards(page).first().waitFor()
        await page.getByRole('button', { name: 'Copy as curl' }).click()
        await page.getByText('Copied').waitFor()
        const command = await page.evaluate(() => navigator.clipboard.readText())
        const [, address = '', body = ''] = /^curl '(.+?)' .* -d '(.+)'$/.exec(command) ?? []
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: body.replaceAll(String.raw`'\''`, "'"),
        })
        const { results } = (await response.json()) as { results: { title: string }[] }
        expect(results.map(({ title }) => title)).toEqual(await titles(page))
        const reference = page.getByRole('link', { name: 'Open in the API reference' })
        expect(await reference.getAttribute('href')).toBe('docs#/Search/searchAnime')
      },
      { permissions },
    )
  })

  it('works behind a prefix', async () => {
    const proxy = createServer((incoming, outgoing) => {
      const { url = '', method, headers } = incoming
      if (!url.startsWith('/some/where/')) return void outgoing.writeHead(404).end()
      const target = new URL(url.slice('/some/where'.length), pages.origin)
      const inner = request(target, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      })
      incoming.pipe(inner)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    await pages.open(`http://127.0.0.1:${port}/some/where/`, async (page) => {
      await page.locator('.examples button').first().click()
      await cards(page).first().locator('h2 a').click()
      await page.locator('.work').waitFor()
      expect(page.url()).toMatch(/\/some\/where\/\?work=4&q=/)
      await page.goBack()
      await cards(page).first().waitFor()
      await page.getByRole('link', { name: 'Synoptic' }).click()
      await page.locator('.question').waitFor()
      expect(new URL(page.url()).pathname).toBe('/some/where/')
    })
    proxy.closeAllConnections()
    proxy.close()
  })
})
