/** What the page says besides results: names that nothing has, other languages, and where a work can be watched. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.js'
import { executablePath, screenshot, useSharedPages } from './scene.js'

const notices = (page: Page) => page.locator('.results .warning').allInnerTexts()
const cards = (page: Page) => page.locator('.cards:not(.skeleton) article')

describe.skipIf(executablePath === undefined)('notices', () => {
  const pages = useSharedPages()

  it.each([
    ['like Zorblax but calm', 'anime', ['Zorblax']],
    ['like Zorblax but calm', 'both', ['Zorblax']],
    ['like Kettle of the Moon but calm', 'anime', []],
    // A manga alone has it, so it is known where both are searched.
    ['like Iron Arm: The Novel but calm', 'both', []],
    ['a quiet ghost in a kettle', 'anime', []],
  ])('%s, in %s: names that nothing has are %j', async (query, dataset, names) => {
    const address = `/?${new URLSearchParams({ q: query, in: dataset })}`
    await pages.open(address, async (page) => {
      await cards(page).first().waitFor()
      const said = await notices(page)
      expect(said.flatMap((text) => /No work called “(.+)”/.exec(text)?.[1] ?? [])).toEqual(names)
      expect(await violations(page)).toEqual([])
      if (names.length > 0) await screenshot(page, `unknown-name-${dataset}`)
    })
  })

  it.each([
    ['una chica que viaja con un fantasma', 'Spanish'],
    ['un fantôme dans une bouilloire qui parle avec les gens', 'French'],
    ['a girl who travels with a ghost', undefined],
    // A title is found in any language.
    ['終わりの帳面', undefined],
  ])('of %s it says that English works best, and what adds %s', async (query, language) => {
    await pages.open(`/?${new URLSearchParams({ q: query })}`, async (page) => {
      await cards(page).first().waitFor()
      const help =
        'Descriptions work best in English. Titles work in any language. If you run this server, ' +
        `synoptic models pull intfloat/multilingual-e5-small adds ${language}.`
      const expected = language === undefined ? [] : [help]
      expect((await notices(page)).filter((text) => text.includes('English'))).toEqual(expected)
    })
  })

  it.each([
    ['/?work=4', 'Where to watch', 'www.crunchyroll.com'],
    ['/?in=manga&work=7', 'Where to read', 'mangaplus.shueisha.co.jp'],
  ])('%s says %s', async (address, heading, site) => {
    await pages.open(address, async (page) => {
      const section = page.locator('section').filter({
        has: page.getByRole('heading', { name: heading }),
      })
      const link = section.getByRole('link')
      expect(await link.innerText()).toContain(site)
      expect(new URL((await link.getAttribute('href')) ?? '').host).toBe(site)
      expect(await link.getAttribute('rel')).toContain('noreferrer')
      expect(await violations(page)).toEqual([])
    })
  })

  it('says nothing of where to watch where the catalogue has no link', async () => {
    await pages.open('/?work=1', async (page) => {
      await page.getByRole('heading', { name: 'Facts' }).waitFor()
      expect(await page.getByRole('heading', { name: /^Where to/ }).count()).toBe(0)
    })
  })
})
