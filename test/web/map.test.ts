/** The map in a browser: seen, heard, moved by hand and by keys, searched. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { familyOf } from '../../web/lib/families.js'
import type { Entry, MapData } from '../../web/lib/types.js'
import type { ServerChild } from '../serve/child.js'
import { violations } from './axe.js'
import { createScene, executablePath, screenshot, type Scene } from './scene.js'
import { hostileWorks } from './works.js'

/** Chromium says so where it draws by the processor. */
const expected = /GPU stall due to ReadPixels|GL Driver Message/

const plane = (page: Page) => page.getByRole('group', { name: /^Map of/ })
const inView = (page: Page) => page.getByRole('region', { name: 'In view' })
const tip = (page: Page) => page.locator('.mark:not([hidden]) a')

type Zoom = readonly [name: string, zoom: (page: Page) => Promise<void>]

const labels = (page: Page) => page.locator('.regions span')

/** Whether something is drawn: points on the plane's picture. */
async function drawnColours(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // In the same turn as a drawing, before the browser takes the picture away.
    const canvas = document.querySelector('canvas')
    if (canvas === null) return 0
    dispatchEvent(new Event('resize'))
    const bitmap = await new Promise<ImageData>((resolve) => {
      const copy = document.createElement('canvas')
      copy.width = canvas.width
      copy.height = canvas.height
      const context = copy.getContext('2d')
      const look = () => {
        context?.drawImage(canvas, 0, 0)
        const data = context?.getImageData(0, 0, copy.width, copy.height)
        if (data) resolve(data)
      }
      canvas.closest<HTMLElement>('.plane')?.focus()
      canvas
        .closest('.plane')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))
      // After the page's own frame of the same turn.
      requestAnimationFrame(look)
    })
    const colours = new Set<number>()
    for (let at = 0; at < bitmap.data.length; at += 4)
      if ((bitmap.data[at + 3] ?? 0) > 200)
        colours.add(((bitmap.data[at] ?? 0) << 8) | (bitmap.data[at + 1] ?? 0))
    return colours.size
  })
}

describe.skipIf(executablePath === undefined)('GET /map in a browser', () => {
  let scene: Scene
  let server: ServerChild
  beforeAll(async () => {
    scene = await createScene()
    scene.run('embed', 'build', '--map')
    server = await scene.serve(['--rate-limit', '0'])
  })
  afterAll(() => scene.close())

  it.each([
    [320, 'light'],
    [768, 'dark'],
    [1440, 'light'],
    [3840, 'dark'],
  ] as const)('at %i px, %s: shows the works, and tells them in words', async (width, scheme) => {
    const task = async (page: Page) => {
      await inView(page)
        .getByText(/\d+ works/)
        .waitFor()
      await inView(page)
        .getByRole('link', { name: /Lighthouse/ })
        .first()
        .waitFor()
      expect(await drawnColours(page)).toBeGreaterThan(0)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await screenshot(page, `map-${width}-${scheme}`, true)
      // As a font of another machine makes it.
      await page.locator('#box').evaluate((box) => box.setAttribute('size', '60'))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await scene.open(`${server.origin}/map`, task, { width, colorScheme: scheme, expected })
  })

  it('colours works as the page colours their tiles', async () => {
    const get = async <T>(path: string) =>
      (await (await fetch(`${server.origin}${path}`)).json()) as T
    const { families, works } = await get<MapData>('/map/anime')
    for (const [at, id] of works.id.entries()) {
      const { tags } = await get<Entry>(`/entries/anime/${id}`)
      if (tags.length > 0) expect(families[works.family[at] ?? -1]).toBe(familyOf(tags, Number(id)))
    }
  })

  it('shows the title of what is pointed at, and opens its work by a click', async () => {
    const task = async (page: Page) => {
      const link = inView(page).getByRole('link', { name: 'Notebook of Endings' })
      await link.hover()
      expect(await tip(page).innerText()).toContain('Notebook of Endings')
      const ring = await page.locator('.mark i').boundingBox()
      await page.mouse.move(5, 5)
      await page.locator('.mark').waitFor({ state: 'hidden' })
      const [x, y] = [
        (ring?.x ?? 0) + (ring?.width ?? 0) / 2,
        (ring?.y ?? 0) + (ring?.height ?? 0) / 2,
      ]
      await page.mouse.move(x, y)
      await tip(page).waitFor()
      expect(await tip(page).innerText()).toContain('Notebook of Endings')
      await page.mouse.click(x, y)
      await page.getByRole('heading', { name: 'Notebook of Endings' }).waitFor()
      expect(new URL(page.url()).search).toBe('?work=4')
      await page.goBack()
      await plane(page).waitFor()
    }
    await scene.open(`${server.origin}/map`, task, { expected, reducedMotion: 'reduce' })
  })

  it('moves by keys, and the list follows', async () => {
    const task = async (page: Page) => {
      const all = await inView(page).getByRole('status').innerText()
      await plane(page).focus()
      for (let i = 0; i < 8; i++) await page.keyboard.press('+')
      await page.waitForFunction(
        (before) => document.querySelector('.in-view [role=status]')?.textContent !== before,
        all,
      )
      for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('0')
      await inView(page)
        .getByText(all.split(':')[0] ?? '')
        .waitFor()
      await page.keyboard.press('/')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('box')
    }
    await scene.open(`${server.origin}/map`, task, { expected, reducedMotion: 'reduce' })
  })

  describe.each(['no-preference', 'reduce'] as const)('with motion %s', (reducedMotion) => {
    const look = { expected, reducedMotion, width: 1280 }
    /** The list of what is in view follows within a quarter of a second, and a flight takes half a second. */
    const settled = (page: Page) => page.waitForTimeout(reducedMotion === 'reduce' ? 400 : 900)

    it('names regions over their points: each name once, apart, and with a halo', async () => {
      const task = async (page: Page) => {
        await labels(page).first().waitFor()
        for (let step = 0; step < 3; step += 1) {
          await settled(page)
          const found = await labels(page).evaluateAll((elements) =>
            elements.map((element) => {
              const { left, right, top, bottom } = element.getBoundingClientRect()
              const { webkitTextStrokeWidth, webkitTextStrokeColor, color, paintOrder } =
                getComputedStyle(element)
              return {
                name: element.textContent,
                box: [left, top, right, bottom] as const,
                halo: Number.parseFloat(webkitTextStrokeWidth),
                isUnder: paintOrder.startsWith('stroke') && webkitTextStrokeColor !== color,
              }
            }),
          )
          expect(found.length).toBeGreaterThan(0)
          expect(new Set(found.map(({ name }) => name)).size).toBe(found.length)
          for (const { halo, isUnder } of found) {
            expect(halo).toBeGreaterThan(2)
            expect(isUnder).toBe(true)
          }
          const boxes = found.map(({ box }) => box)
          const overlaps = boxes.flatMap((one, at) =>
            boxes
              .slice(at + 1)
              .filter(
                (other) =>
                  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3],
              ),
          )
          expect(overlaps).toEqual([])
          await page.getByRole('button', { name: 'Zoom in' }).click()
        }
      }
      await scene.open(`${server.origin}/map`, task, look)
    })

    const ways: readonly Zoom[] = [
      ['keys', (page) => page.keyboard.press('+')],
      ['the button', (page) => page.getByRole('button', { name: 'Zoom in' }).click()],
      ['the wheel, in a corner', (page) => page.mouse.wheel(0, -400)],
    ]
    const alwaysShowsAWork = async ([, zoom]: Zoom) => {
      const task = async (page: Page) => {
        await labels(page).first().waitFor()
        const box = await plane(page).boundingBox()
        await plane(page).focus()
        await page.mouse.move((box?.x ?? 0) + 12, (box?.y ?? 0) + 12)
        for (let step = 1; step <= 12; step += 1) {
          await zoom(page)
          if (step % 4 !== 0) continue
          await settled(page)
          const said = await inView(page).getByRole('status').innerText()
          expect(Number.parseInt(said), `step ${step}: ${said}`).toBeGreaterThan(0)
        }
      }
      await scene.open(`${server.origin}/map`, task, look)
    }
    const title = 'always shows a work after zooming in by %s'
    it.for(ways.slice(2))(title, alwaysShowsAWork)
    it.for(ways.slice(0, 2))(title, { tags: ['nightly'] }, alwaysShowsAWork)
  })

  it('flies to a work or to what a search finds once, and then moves as people want it', async () => {
    const count = async (page: Page) =>
      Number.parseInt(await inView(page).getByRole('status').innerText())
    const showsAll = (page: Page, all: number) =>
      page.waitForFunction(
        (works) =>
          Number.parseInt(document.querySelector('.in-view [role=status]')?.textContent ?? '') ===
          works,
        all,
        { timeout: 10_000 },
      )
    const task = async (page: Page) => {
      await tip(page).getByText('Moon Kettle', { exact: true }).waitFor()
      await page.waitForTimeout(1000)
      await plane(page).focus()
      await page.keyboard.press('0')
      await page.waitForTimeout(1000)
      const all = await count(page)
      expect(all).toBeGreaterThan(5)
      await page.locator('#box').fill('a lighthouse')
      await page.keyboard.press('Enter')
      await page.waitForTimeout(1000)
      await plane(page).focus()
      for (let i = 0; i < 8; i++) await page.keyboard.press('+')
      await page.keyboard.press('0')
      await showsAll(page, all)
      await page.waitForTimeout(1000)
      expect(await count(page)).toBe(all)
    }
    await scene.open(`${server.origin}/map?work=1`, task, { expected })
  })

  it('drags, and does not take a drag for a click', async () => {
    const task = async (page: Page) => {
      await inView(page).getByRole('link').first().hover()
      const before = await page.locator('.mark i').boundingBox()
      const box = await plane(page).boundingBox()
      const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 200]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 60, y + 30, { steps: 4 })
      await page.mouse.up()
      await inView(page).getByRole('link').first().hover()
      const after = await page.locator('.mark i').boundingBox()
      expect(Math.round((after?.x ?? 0) - (before?.x ?? 0))).toBe(60)
      expect(Math.round((after?.y ?? 0) - (before?.y ?? 0))).toBe(30)
      expect(new URL(page.url()).pathname).toBe('/map')
    }
    await scene.open(`${server.origin}/map`, task, { expected, reducedMotion: 'reduce' })
  })

  it('highlights what a search finds, and keeps the search in the address', async () => {
    const task = async (page: Page) => {
      await page.getByRole('searchbox').fill('a keeper of a lighthouse waits for a ship')
      await page.keyboard.press('Enter')
      await page.getByText(/works are highlighted/).waitFor()
      expect(new URL(page.url()).searchParams.get('q')).toContain('lighthouse')
      await inView(page)
        .getByText(/results?/)
        .waitFor()
      await page.reload()
      await page.getByText(/works are highlighted/).waitFor()
      await page.getByRole('button', { name: 'year' }).click()
      expect(new URL(page.url()).searchParams.get('by')).toBe('year')
      await page
        .getByRole('list', { name: 'Colours' })
        .getByText(/before/)
        .waitFor()
      await page.goBack()
      await page.getByRole('list', { name: 'Colours' }).getByText('theme').waitFor()
      await page.getByRole('link', { name: 'Show all' }).click()
      await inView(page)
        .getByText(/\d+ works/)
        .waitFor()
    }
    await scene.open(`${server.origin}/map`, task, { expected, reducedMotion: 'reduce' })
  })

  it('keeps works for adults off the map until they are requested', async () => {
    const task = async (page: Page) => {
      const count = async () =>
        Number((await inView(page).getByRole('status').innerText()).split(' ')[0])
      const before = await count()
      await page.getByLabel('Works for adults').check()
      await inView(page)
        .getByText(`${before + 1} works`)
        .waitFor()
    }
    await scene.open(`${server.origin}/map`, task, { expected })
  })

  it('shows where a work lies that the address names, and the other dataset', async () => {
    const task = async (page: Page) => {
      await tip(page).getByText('Moon Kettle', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Manga' }).click()
      await page.getByRole('heading', { name: /All manga/ }).waitFor()
      await inView(page)
        .getByRole('link', { name: /Iron Arm/ })
        .first()
        .waitFor()
    }
    await scene.open(`${server.origin}/map?work=1`, task, { expected, reducedMotion: 'reduce' })
  })

  it.each([
    ['titles=romaji', 'Kettle of the Moon'],
    ['titles=native', '月の薬缶'],
    ['titles=klingon', 'Moon Kettle'],
  ])('shows titles in the language of the address: %s', async (parameter, title) => {
    const task = async (page: Page) => {
      await tip(page).getByText(title, { exact: true }).waitFor()
      await inView(page).getByRole('link', { name: title }).first().waitFor()
      await page.getByRole('button', { name: 'year' }).click()
      expect(new URL(page.url()).searchParams.get('titles')).toBe(
        title === 'Moon Kettle' ? null : parameter.split('=')[1],
      )
    }
    const address = `${server.origin}/map?work=1&${parameter}`
    await scene.open(address, task, { expected, reducedMotion: 'reduce' })
  })

  it('lists what it cannot draw without WebGL', async () => {
    const task = async (page: Page) => {
      await page.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = () => null
      })
      await page.reload()
      await page.getByText(/has no WebGL/).waitFor()
      await inView(page)
        .getByRole('link', { name: /Lighthouse/ })
        .first()
        .waitFor()
      expect(await violations(page)).toEqual([])
    }
    await scene.open(`${server.origin}/map`, task, { expected })
  })

  it('shows titles that mean harm, or are too much, as text', async () => {
    const hostile = await createScene(hostileWorks)
    try {
      hostile.run('embed', 'build', '--map')
      const own = await hostile.serve(['--rate-limit', '0'])
      const task = async (page: Page) => {
        const links = inView(page).getByRole('link')
        await links.first().waitFor()
        for (const link of await links.all()) {
          await link.hover()
          await tip(page).waitFor()
        }
        expect(await inView(page).innerText()).toContain('<script>window.harmed = 1</script>')
        expect(await page.evaluate(() => (window as { harmed?: number }).harmed)).toBeUndefined()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      }
      await hostile.open(`${own.origin}/map`, task, { expected, width: 320 })
    } finally {
      await hostile.close()
    }
  })

  it('says how a map is made where there is none, and shows it once it is there', async () => {
    const bare = await createScene()
    try {
      const own = await bare.serve(['--rate-limit', '0'])
      const task = async (page: Page) => {
        await page.getByText('synoptic embed build --map --dataset anime').waitFor()
        expect(await violations(page)).toEqual([])
        bare.run('embed', 'build', '--map')
        await inView(page)
          .getByRole('link', { name: /Lighthouse/ })
          .first()
          .waitFor()
      }
      await bare.open(`${own.origin}/map`, task, { expected: /GPU stall|GL Driver|404/ })
    } finally {
      await bare.close()
    }
  })
})
