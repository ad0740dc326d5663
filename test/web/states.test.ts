/** Every state of the page, by a real server in that state. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerChild } from '../serve/child.js'
import { violations } from './axe.js'
import { createScene, executablePath, screenshot, type Scene } from './scene.js'

const stateOf = (page: Page) => page.locator('.state')
const cards = (page: Page) => page.locator('.cards:not(.skeleton) article')
const search = async (page: Page, text: string) => {
  await page.locator('#box').fill(text)
  await page.locator('#box').press('Enter')
}

describe.skipIf(executablePath === undefined)('the states of the page', () => {
  let scene: Scene
  let server: ServerChild
  beforeAll(async () => {
    scene = await createScene()
    server = await scene.serve()
  })
  afterAll(() => scene.close())

  it('begins with a question and examples that each find something', async () => {
    await scene.open(`${server.origin}/`, async (page) => {
      expect(await page.locator('h1').innerText()).toBe('Which anime was it?')
      expect(await page.locator('.foot').innerText()).toContain('30 anime and 2 manga')
      await page.getByRole('button', { name: 'Manga', exact: true }).click()
      expect(await page.locator('h1').innerText()).toBe('Which manga was it?')
      await page.getByRole('button', { name: 'Anime', exact: true }).click()
      expect(await page.locator('.examples button').count()).toBe(4)
      await page.locator('.examples button').first().click()
      await cards(page).first().waitFor()
      expect(await cards(page).first().locator('h2').innerText()).toBe('Notebook of Endings')
      await screenshot(page, 'results')
    })
  })

  it('shows that a search is on its way', async () => {
    await scene.open(`${server.origin}/`, async (page) => {
      server.child.kill('SIGSTOP')
      try {
        await search(page, 'a tinker mends kettles')
        await page.locator('.results[aria-busy=true] .skeleton').waitFor()
        expect(await page.getByRole('status').allInnerTexts()).toContain('Searching')
      } finally {
        server.child.kill('SIGCONT')
      }
      await cards(page).first().waitFor()
      expect(await page.locator('.results').getAttribute('aria-busy')).toBe('false')
    })
  })

  it('says what to loosen where nothing fits', async () => {
    await scene.open(`${server.origin}/?q=kettle&from=1900&to=1901&type=tv`, async (page) => {
      await stateOf(page).getByText('Nothing matches all of this.').waitFor()
      await screenshot(page, 'nothing')
      await stateOf(page).getByRole('button', { name: '1900–1901' }).click()
      await cards(page).first().waitFor()
      expect(new URL(page.url()).search).toBe('?q=kettle&type=tv')
    })
  })

  it('says that nothing fits well, and only then', async () => {
    await scene.open(`${server.origin}/?q=zxqv+blorptang`, async (page) => {
      await cards(page).first().waitFor()
      const note = page.locator('.results').getByText('Nothing fits well. These come nearest.')
      expect(await note.last().isVisible()).toBe(true)
      expect(await page.getByRole('status').allInnerTexts()).toContain(
        'Nothing fits well. These come nearest. 10 results shown',
      )
      expect(await violations(page)).toEqual([])
      await screenshot(page, 'loose')
      await search(page, 'a tinker mends kettles in mountain villages')
      await expect.poll(() => note.count()).toBe(0)
      expect(await cards(page).first().innerText()).toContain('Moon Kettle')
    })
  })

  it('counts down where the server requires a wait, and goes on by itself', async () => {
    const slow = await scene.serve(['--rate-limit', 'search=0.1', '--rate-limit-loopback'])
    await scene.open(
      `${slow.origin}/?q=kettle`,
      async (page) => {
        await cards(page).first().waitFor()
        await search(page, 'lighthouse')
        await stateOf(page).getByText('Too many searches.').waitFor()
        expect(await stateOf(page).innerText()).toMatch(/Trying again in \d+ seconds?\./)
        await screenshot(page, 'rate-limited')
        await page.getByRole('link', { name: 'Lighthouse 1', exact: true }).waitFor()
      },
      { expected: /429/ },
    )
  })

  it('says that it is offline, and goes on with the connection', async () => {
    await scene.open(
      `${server.origin}/`,
      async (page) => {
        await page.context().setOffline(true)
        await search(page, 'iron kettle')
        await stateOf(page).getByText('You are offline.').waitFor()
        await screenshot(page, 'offline')
        await page.context().setOffline(false)
        await cards(page).first().waitFor()
      },
      { expected: /ERR_INTERNET_DISCONNECTED/ },
    )
  })

  it.each([
    ['a search', '/?q=kettle', (page: Page) => cards(page)],
    ['a work', '/?work=4', (page: Page) => page.locator('.work h1')],
  ] as const)(
    'says that no answer came from a server that has stopped, and goes on with %s by itself',
    async (_, path, wanted) => {
      const gone = await scene.serve()
      await scene.open(
        `${gone.origin}/?q=lighthouse`,
        async (page) => {
          await cards(page).first().waitFor()
          await gone.stop()
          await page.evaluate((address) => {
            history.pushState(null, '', address)
            dispatchEvent(new PopStateEvent('popstate'))
          }, path)
          await stateOf(page).getByText('The server is not responding.').waitFor()
          await stateOf(page).getByRole('button', { name: 'Try again' }).click()
          await stateOf(page).getByText('The server is not responding.').waitFor()
          await screenshot(page, 'no-answer')
          await scene.serve(['--port', new URL(gone.origin).port])
          await wanted(page).first().waitFor()
        },
        { expected: /ERR_/ },
      )
    },
  )

  it('does not ask again by itself where the server was there all along', async () => {
    await scene.open(
      `${server.origin}/`,
      async (page) => {
        let requests = 0
        await page.route('**/search/anime?*', (route) => {
          requests += 1
          return route.abort()
        })
        const looks = page.waitForResponse(/icon\.svg/)
        await search(page, 'kettle')
        await stateOf(page).getByText('The server is not responding.').waitFor()
        await looks
        await page.waitForResponse(/icon\.svg/)
        expect(requests).toBe(1)
        await page.unroute('**/search/anime?*')
        await stateOf(page).getByRole('button', { name: 'Try again' }).click()
        await cards(page).first().waitFor()
      },
      { expected: /ERR_/ },
    )
  })

  it('names the command that installs a model which is not there', async () => {
    const name = 'cross-encoder/ms-marco-MiniLM-L-6-v2'
    const folder = join(scene.folder, 'models', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), '{}')
    const bare = await scene.serve(['--cross-encoder', name])
    rmSync(folder, { recursive: true })
    await scene.open(
      `${bare.origin}/?q=kettle`,
      async (page) => {
        await stateOf(page).getByText('The model for this search is not installed.').waitFor()
        expect(await stateOf(page).locator('pre').innerText()).toBe(`synoptic models pull ${name}`)
        await screenshot(page, 'model-not-installed')
      },
      { expected: /404/ },
    )
  })

  it('shows the command that mends a fault, and the id under which the log says more', async () => {
    const some = join(scene.folder, 'some')
    cpSync(join(scene.folder, 'embeddings', 'anime'), join(some, 'anime'), { recursive: true })
    const degraded = await scene.serve(['--embeddings-dir', some, '--log-file', 'degraded.log'])
    await scene.open(
      `${degraded.origin}/?in=manga&q=iron+arm`,
      async (page) => {
        await stateOf(page).getByText('This dataset is not ready for searches yet.').waitFor()
        expect(await stateOf(page).locator('pre').innerText()).toBe(
          'synoptic embed build --dataset manga',
        )
        const id = await stateOf(page).locator('.aside code').innerText()
        expect(id).toMatch(/^[\da-f-]{36}$/)
        expect(readFileSync(join(scene.folder, 'degraded.log'), 'utf8')).toContain(id)
        await screenshot(page, 'fault')
      },
      { expected: /500/ },
    )
  })

  it('keeps the chosen result, where the operator has set a file', async () => {
    const curious = await scene.serve(['--feedback', 'meant.jsonl'])
    await scene.open(`${curious.origin}/?q=a+notebook+that+kills`, async (page) => {
      await cards(page).first().waitFor()
      const card = cards(page).filter({ hasText: 'Notebook of Endings' })
      const rank = Number(await card.locator('.rank').innerText())
      await card.getByRole('button', { name: 'That’s the one' }).click()
      await card.getByText('Noted, thank you.').waitFor()
      const line = JSON.parse(readFileSync(join(scene.folder, 'meant.jsonl'), 'utf8')) as object
      expect(line).toEqual({
        dataset: 'anime',
        description: 'a notebook that kills',
        id: 4,
        rank,
        day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      })
    })
    await scene.open(`${server.origin}/?q=a+notebook+that+kills`, async (page) => {
      await cards(page).first().waitFor()
      expect(await page.getByRole('button', { name: 'That’s the one' }).count()).toBe(0)
    })
  })

  it('says what the server does not take', async () => {
    await scene.open(
      `${server.origin}/?q=kettle&from=2005&to=1999`,
      async (page) => {
        await stateOf(page).getByText('This search is not possible.').waitFor()
        expect(await stateOf(page).innerText()).toContain('yearFrom')
      },
      { expected: /400/ },
    )
  })

  it('says that a work is not here', async () => {
    await scene.open(
      `${server.origin}/?work=999`,
      async (page) => {
        await stateOf(page).getByText('Not found.').waitFor()
      },
      { expected: /404/ },
    )
  })
})
