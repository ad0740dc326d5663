/** Results: what they show of a work, in which language and order, and how many fit on a screen. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.js'
import { executablePath, screenshot, useSharedPages } from './scene.js'

const cards = (page: Page) => page.locator('.cards:not(.skeleton) article')
const titles = (page: Page) => cards(page).locator('h2').allInnerTexts()
const addressOf = (page: Page) => new URL(page.url()).searchParams
const search = (words: string) => `?q=${words.replaceAll(' ', '+')}`

describe.skipIf(executablePath === undefined)('results', () => {
  const pages = useSharedPages()
  const open = (query: string, task: (page: Page) => Promise<void>, look = {}) =>
    pages.open(
      `/${query}`,
      async (page) => {
        await cards(page).first().waitFor()
        await task(page)
      },
      look,
    )

  it('show the synopsis, and below it the text that matched', async () => {
    const query = search('he repairs teapots and the spirits inside tell him why they stayed')
    await open(query, async (page) => {
      const first = cards(page).first()
      expect(await first.locator('.synopsis').innerText()).toMatch(/^A wandering tinker/)
      const line = await first.locator('.matched-line').innerText()
      expect(line).toMatch(/^Matched in what people remember: he repairs teapots/)
    })
  })

  it.each(['no-preference', 'reduce'] as const)(
    'blur what gives an ending away until a click, with reduced motion %s',
    async (reducedMotion) => {
      const query = search('rain on the funeral of the barefoot sleuth')
      const task = async (page: Page) => {
        const card = cards(page).filter({ hasText: 'Notebook of Endings' })
        const filter = await card
          .locator('.blurred')
          .evaluate((node) => getComputedStyle(node).filter)
        expect(filter).toMatch(/^blur/)
        expect(await violations(page)).toEqual([])
        await screenshot(page, `spoiler-${reducedMotion}`)
        await card.getByRole('button', { name: 'Show the spoiler' }).click()
        expect(await card.locator('.blurred').count()).toBe(0)
        expect(await card.locator('.matched-line').innerText()).toContain('whose heart stopped')
      }
      await open(query, task, { reducedMotion })
    },
  )

  it('have English titles, or those that somebody chose once', async () => {
    await open(search('a tinker mends kettles'), async (page) => {
      expect(await titles(page)).toContain('Moon Kettle')
      await page.getByLabel('Titles').selectOption('native')
      await expect.poll(() => titles(page)).toContain('月の薬缶')
      expect(addressOf(page).get('titles')).toBe('native')
      await cards(page).first().locator('h2 a').click()
      await page.getByRole('heading', { level: 1, name: '月の薬缶' }).waitFor()
      expect(await page.title()).toBe('月の薬缶 · Synoptic')
      // Another visit without the parameter.
      await page.goto(`${pages.origin}/?q=kettle`)
      await expect.poll(() => titles(page)).toContain('月の薬缶')
      await page.getByLabel('Titles').selectOption('romaji')
      await expect.poll(() => titles(page)).toContain('Kettle of the Moon')
    })
  })

  it('are counted and sorted', async () => {
    await open(search('keeper of a lighthouse'), async (page) => {
      expect(await page.locator('.result-bar .total').innerText()).toMatch(/^\d+ results$/)
      await page.getByLabel('Sort').selectOption('year')
      await expect.poll(() => addressOf(page).get('sort')).toBe('year')
      const yearOf = async () => {
        const facts = await cards(page).locator('.facts').allInnerTexts()
        return facts.map((text) => Number(/\b(?:19|20)\d\d\b/.exec(text)?.[0]))
      }
      await expect.poll(async () => (await yearOf())[0]).toBe(2013)
      const years = await yearOf()
      expect(years).toEqual(years.toSorted((one, other) => other - one))
    })
  })

  it('count what they can be filtered by', async () => {
    await open(`${search('kettle')}&tag.all=travel`, async (page) => {
      await expect.poll(() => titles(page)).toEqual(['Moon Kettle'])
      const filters = page.getByRole('complementary', { name: 'Filters' })
      const tv = filters.locator('.toggle', { hasText: 'TV' })
      await expect.poll(() => tv.locator('.count').innerText()).toBe('1')
      expect(await filters.locator('.toggle', { hasText: 'OVA' }).locator('.count').count()).toBe(0)
    })
  })

  it('say what they have of the query, and what they lack', async () => {
    await open(search('dark tv with death gods'), async (page) => {
      const reasons = cards(page).filter({ hasText: 'Notebook' }).locator('.fits')
      expect(await reasons.locator('.met').allInnerTexts()).toContain('dark')
      const others = cards(page).filter({ hasNotText: 'Notebook' }).locator('.fits .missing')
      expect((await others.allInnerTexts()).join(' ')).toContain('death gods')
    })
  })

  it('show a film of a series that has all of what is wanted before the series', async () => {
    await open(search('a film about kettles'), async (page) => {
      expect((await titles(page))[0]).toBe('Kettle of the Moon: The Film')
    })
  })

  it('are of anime and manga together, and a work leads to its other form', async () => {
    await open(search('a mercenary with an iron arm'), async (page) => {
      await page.getByRole('button', { name: 'Both' }).click()
      await expect.poll(() => addressOf(page).get('in')).toBe('both')
      await expect.poll(() => titles(page)).toContain('Iron Arm')
      expect(await titles(page)).toContain('Iron Arm: The Animation')
      expect(await violations(page)).toEqual([])
      await screenshot(page, 'both')
      await page.getByRole('link', { name: 'Iron Arm', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Iron Arm', exact: true }).waitFor()
      await page.getByRole('link', { name: 'Iron Arm: The Animation' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Iron Arm: The Animation' }).waitFor()
      await page.getByRole('link', { name: /^← Back/ }).click()
      await expect.poll(() => titles(page)).toContain('Iron Arm')
      expect(addressOf(page).get('in')).toBe('both')
      await page.getByRole('button', { name: 'Show more' }).click()
      await cards(page).nth(10).waitFor()
    })
  })

  it('have a light novel whose title is typed', async () => {
    await open('?in=manga&q=Iron+Arm%3A+The+Novel', async (page) => {
      expect(await titles(page)).toContain('Iron Arm: The Novel')
    })
    await open('?in=manga&q=a+mercenary+with+an+iron+arm', async (page) => {
      expect(await titles(page)).not.toContain('Iron Arm: The Novel')
    })
  })

  it.each([
    ['un chico que encuentra un cuaderno que mata', true],
    ['湯屋で働く女の子の話', true],
    ['a boy who finds a notebook', false],
  ])('say of “%s” whether English works better: %s', async (query, says) => {
    await open(`?q=${encodeURIComponent(query)}`, async (page) => {
      expect(await page.getByText('Descriptions work best in English.').count()).toBe(says ? 1 : 0)
    })
  })

  it.each([
    [1280, 800, 5],
    [390, 844, 3],
  ])('of a screen of %i by %i are %i at once', async (width, height, count) => {
    const look = { width, viewport: { width, height } }
    await open(
      search('keeper of a lighthouse'),
      async (page) => {
        const bottoms = await cards(page)
          .locator('h2')
          .evaluateAll((all) => all.map((title) => title.getBoundingClientRect().bottom))
        expect(bottoms.filter((bottom) => bottom <= height).length).toBeGreaterThanOrEqual(count)
      },
      look,
    )
  })
})
