/** The page by axe-core in both schemes, at the widths that people have, and as screenshots. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerChild } from '../serve/child.js'
import { violations } from './axe.js'
import { createScene, executablePath, screenshot, type Scene } from './scene.js'

interface View {
  readonly name: string
  readonly path: string
  readonly ready: string
  readonly act?: (page: Page) => Promise<void>
}

const views: readonly View[] = [
  { name: 'first', path: '/', ready: '.question' },
  {
    name: 'completion',
    path: '/',
    ready: '.question',
    async act(page) {
      await page.locator('#box').fill('kettle')
      await page.getByRole('option').nth(2).waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'results',
    path: '/?q=calm+tv+series+about+kettles+without+revenge&type=tv&from=1990',
    ready: '.cards:not(.skeleton)',
  },
  {
    name: 'filters',
    path: '/?q=kettle&tag.all=relaxing&genre.none=Drama&score=5',
    ready: '.cards:not(.skeleton), .state',
    async act(page) {
      const opener = page.getByRole('button', { name: /^Filters/ })
      if ((await opener.count()) > 0) await opener.click()
    },
  },
  { name: 'nothing', path: '/?q=kettle&to=1901', ready: '.state' },
  { name: 'work', path: '/?work=1&q=kettle', ready: '.nearest' },
  { name: 'missing', path: '/?work=999', ready: '.state h2' },
]
/** A pair of them for each view, in turn: both schemes, a phone and a wider screen. */
const looks = [
  [
    { width: 320, colorScheme: 'light' },
    { width: 1440, colorScheme: 'dark' },
  ],
  [
    { width: 320, colorScheme: 'dark' },
    { width: 768, colorScheme: 'light' },
  ],
] as const

describe.skipIf(executablePath === undefined)('the page for everybody', () => {
  let scene: Scene
  let server: ServerChild
  beforeAll(async () => {
    scene = await createScene()
    server = await scene.serve()
  })
  afterAll(() => scene.close())

  const cases = views.flatMap((view, i) =>
    (looks[i % 2] ?? []).map((look) => ({ ...view, ...look })),
  )
  it.each(cases)(
    '$name at $width px, $colorScheme: axe finds nothing, and it fits',
    async ({ name, path, ready, act, width, colorScheme }) => {
      const task = async (page: Page) => {
        await page.locator(ready).first().waitFor()
        await act?.(page)
        await screenshot(page, `${name}-${width}-${colorScheme}`)
        expect(await violations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
      await scene.open(`${server.origin}${path}`, task, { width, colorScheme, expected: /404/ })
    },
  )

  it('keeps each word of the header whole at 320 px', async () => {
    const task = async (page: Page) => {
      const links = await page.locator('.masthead a').all()
      expect(links.length).toBe(4)
      for (const link of links) {
        const { height = 0 } = (await link.boundingBox()) ?? {}
        expect(height, await link.innerText()).toBeLessThan(32)
      }
    }
    await scene.open(`${server.origin}/`, task, { width: 320 })
  })

  it('would find what is wrong', async () => {
    await scene.open(`${server.origin}/`, async (page) => {
      await page.evaluate(() => document.querySelector('.go')?.removeAttribute('aria-label'))
      expect((await violations(page)).join()).toContain('button-name')
    })
  })

  it('does not move where people prefer no motion', async () => {
    const task = async (page: Page) => {
      server.child.kill('SIGSTOP')
      try {
        await page.locator('#box').fill('iron kettle')
        await page.locator('#box').press('Enter')
        await page.locator('.progress').waitFor()
        const names = await page.evaluate(() => document.getAnimations().length)
        expect(names).toBe(0)
      } finally {
        server.child.kill('SIGCONT')
      }
    }
    await scene.open(`${server.origin}/`, task, { reducedMotion: 'reduce' })
  })

  it('is not lost on a screen of 3840 px', async () => {
    const task = async (page: Page) => {
      await page.locator('.cards:not(.skeleton)').waitFor()
      const { x = 0, width = 0 } = (await page.locator('.columns').boundingBox()) ?? {}
      expect(Math.abs(x - (3840 - x - width))).toBeLessThan(40)
      expect(width).toBeGreaterThan(1200)
      await screenshot(page, 'results-3840')
    }
    await scene.open(`${server.origin}/?q=kettle`, task, { width: 3840 })
  })
})
