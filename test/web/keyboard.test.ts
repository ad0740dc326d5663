/** The page by keyboard alone. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.js'
import { executablePath, useSharedPages } from './scene.js'

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.id === 'box' ? 'the box' : (activeElement?.textContent.trim() ?? '')
  })
const chips = (page: Page) => page.locator('.chip span').allInnerTexts()
const firstCard = (page: Page) => page.locator('article h2').first()

describe.skipIf(executablePath === undefined)('the page by keyboard', () => {
  const pages = useSharedPages()

  it('begins in the box, completes a title with a typo, and opens it with Enter', async () => {
    await pages.open('/', async (page) => {
      expect(await focused(page)).toBe('the box')
      await page.keyboard.type('ketle of')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
      const chosen = page.getByRole('option', { selected: true })
      expect(await chosen.innerText()).toContain('Kettle of the Moon')
      expect(await page.locator('#box').getAttribute('aria-activedescendant')).toBe('title-0')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Moon Kettle', exact: true }).waitFor()
      expect(new URL(page.url()).search).toBe('?work=1')
    })
  })

  it('keeps the box as high as its text on a page of another width', async () => {
    await pages.open(
      '/',
      async (page) => {
        await page.keyboard.insertText('a kettle that remembers everybody who has ever drunk of it')
        // In lines: letters grow with the page, and how wide they are is up to the fonts of the machine.
        const lines = () =>
          page.locator('#box').evaluate((box) => {
            const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(box)
            const text = box.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)
            return Math.round(text / parseFloat(lineHeight))
          })
        const narrow = await lines()
        await page.setViewportSize({ width: 1280, height: 900 })
        await expect.poll(lines).toBeLessThan(narrow)
        await page.setViewportSize({ width: 390, height: 900 })
        await expect.poll(lines).toBe(narrow)
      },
      { width: 390 },
    )
  })

  it('completes native titles, and closes the list with Esc', async () => {
    await pages.open('/', async (page) => {
      await page.keyboard.insertText('終わり')
      expect(await page.getByRole('option').first().innerText()).toContain('終わりの帳面')
      await page.keyboard.press('Escape')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
      expect(await page.locator('#box').inputValue()).toBe('終わり')
    })
  })

  it('goes from result to result with arrows, opens one, and comes back with Esc', async () => {
    await pages.open('/', async (page) => {
      await page.keyboard.type('keeper of a lighthouse waits for a ship that is late by many days')
      await page.keyboard.press('Enter')
      await firstCard(page).waitFor()
      await page.keyboard.press('ArrowDown')
      const first = await focused(page)
      expect(first).toBe(await firstCard(page).innerText())
      await page.keyboard.press('ArrowDown')
      const second = await focused(page)
      expect(second).not.toBe(first)
      await page.keyboard.press('ArrowUp')
      expect(await focused(page)).toBe(first)
      await page.keyboard.press('ArrowUp')
      expect(await focused(page)).toBe('the box')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: first, exact: true }).waitFor()
      await expect.poll(() => focused(page)).toBe(first)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await firstCard(page).waitFor()
      await expect.poll(() => focused(page)).toBe(first)
    })
  })

  it('closes a work with Esc as Back does: more results stay, and no step is added', async () => {
    await pages.open('/?q=keeper+of+a+lighthouse', async (page) => {
      const steps = () => page.evaluate(() => history.length)
      await page.getByRole('button', { name: 'Show more' }).click()
      const links = page.locator('article h2 a')
      await links.nth(14).focus()
      const title = await focused(page)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      const count = await steps()
      await page.keyboard.press('Escape')
      await expect.poll(() => focused(page)).toBe(title)
      expect(await links.count()).toBe(20)
      expect(await steps()).toBe(count)
      await page.goForward()
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      // Esc leads back to a work that was open before; the link leads past all of them.
      const near = page.locator('.nearest a')
      const [one = '', other = ''] = await near
        .first()
        .waitFor()
        .then(() => near.allInnerTexts())
      await page.locator('.nearest').getByRole('link', { name: one, exact: true }).press('Enter')
      await page.getByRole('heading', { level: 1, name: one, exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await page.locator('.nearest').getByRole('link', { name: other, exact: true }).press('Enter')
      await page.getByRole('heading', { level: 1, name: other, exact: true }).waitFor()
      await page.getByRole('link', { name: /^← Back/ }).press('Enter')
      await expect.poll(() => focused(page)).toBe(title)
      expect(await links.count()).toBe(20)
      expect(await steps()).toBe(count + 1)
    })
  })

  it('leads from a work that was opened by its address to its results with Esc', async () => {
    await pages.open('/?work=4&q=kettle', async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Notebook of Endings' }).waitFor()
      await page.keyboard.press('Escape')
      await firstCard(page).waitFor()
      expect(new URL(page.url()).search).toBe('?q=kettle')
    })
  })

  it('leads to the box with a slash, and writes a slash in it', async () => {
    await pages.open('/?q=kettle', async (page) => {
      await firstCard(page).waitFor()
      expect(await focused(page)).not.toBe('the box')
      await page.keyboard.press('/')
      expect(await focused(page)).toBe('the box')
      await page.keyboard.press('End')
      await page.keyboard.press('/')
      expect(await page.locator('#box').inputValue()).toBe('kettle/')
    })
  })

  it('takes readings away with Delete, one after the other, and reads them again', async () => {
    await pages.open('/?q=calm+tv+without+revenge', async (page) => {
      await firstCard(page).waitFor()
      const all = await chips(page)
      expect(all.length).toBeGreaterThan(1)
      expect(all.at(-1)).toMatch(/^not /)
      await page.locator('.chip').last().focus()
      await page.keyboard.press('Delete')
      await page.waitForFunction(
        (count) => document.querySelectorAll('.chip').length < count,
        all.length,
      )
      expect(await chips(page)).toEqual(all.slice(0, -1))
      expect(new URL(page.url()).searchParams.getAll('skip')).toHaveLength(1)
      expect(await page.evaluate(() => document.activeElement?.className)).toContain('chip')
      await page.keyboard.press('Backspace')
      await page.waitForFunction(
        (count) => document.querySelectorAll('.chip').length < count,
        all.length - 1,
      )
      await page.getByRole('button', { name: 'Undo changes to the reading' }).press('Enter')
      await page.waitForFunction(
        (count) => document.querySelectorAll('.chip').length === count,
        all.length,
      )
      expect(new URL(page.url()).search).not.toContain('skip')
    })
  })

  it('shows at most a dozen readings of a long query, each once', async () => {
    const said = 'school magic comedy vampires music war demons ghosts ninja samurai pirates'
    const more = `${said} horror robots space school and magic, not romance`
    await pages.open(`/?q=${encodeURIComponent(more)}`, async (page) => {
      await firstCard(page).waitFor()
      const all = await chips(page)
      expect(all.length).toBeGreaterThan(0)
      expect(all.length).toBeLessThanOrEqual(12)
      expect(new Set(all).size).toBe(all.length)
      expect(await violations(page)).toEqual([])
    })
  })

  it('does not strike out what is excluded, which would read as taken away', async () => {
    await pages.open('/?q=kettle+without+romance&tag.none=dark', async (page) => {
      await firstCard(page).waitFor()
      const excluded = [
        page.locator('.chip span', { hasText: /^not / }),
        page.locator('.chosen-value-name'),
      ]
      for (const one of excluded) {
        const line = await one.first().evaluate((node) => getComputedStyle(node).textDecorationLine)
        expect(line).toBe('none')
      }
    })
  })

  it('keeps the focus inside the sheet of filters on a phone until Esc', async () => {
    const task = async (page: Page) => {
      await firstCard(page).waitFor()
      await page.getByRole('button', { name: 'Filters' }).press('Enter')
      await page.getByRole('dialog').waitFor()
      for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press('Tab')
        const isInside = await page.evaluate(() => {
          const { activeElement } = document
          return activeElement === document.body || activeElement?.closest('dialog') !== null
        })
        expect(isInside).toBe(true)
      }
      await page.getByRole('checkbox', { name: /TV/ }).press('Space')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await page.getByRole('button', { name: 'Filters (1)' }).count()).toBe(1)
    }
    await pages.open('/?q=kettle', task, { width: 360 })
  })
})
