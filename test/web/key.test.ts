/** The page and the operators' view of a server that needs keys, in a browser. */
import { spawnSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cli, type ServerChild } from '../serve/child.js'
import { violations } from './axe.js'
import { createScene, executablePath, screenshot, type Scene } from './scene.js'

describe.skipIf(executablePath === undefined)('a server that asks for keys', () => {
  let scene: Scene
  let server: ServerChild
  let visitor = ''
  let operator = ''
  function addKey(name: string, scopes: string): string {
    const words = ['keys', 'add', name, '--scopes', scopes, '--api-keys', 'keys.json']
    const child = spawnSync(process.execPath, [cli, ...words], { cwd: scene.folder })
    return child.stdout.toString().trim()
  }
  beforeAll(async () => {
    scene = await createScene()
    visitor = addKey('visitor', 'search')
    operator = addKey('operator', 'admin')
    server = await scene.serve(['--api-keys', 'keys.json'])
  })
  afterAll(() => scene.close())

  const give = async (page: Page, key: string) => {
    await page.getByLabel('Key').fill(key)
    await page.getByRole('button', { name: 'Use this key' }).click()
  }
  const cards = (page: Page) => page.locator('.cards:not(.skeleton) article')
  const expected = /40[13]/

  it('is requested by the page, which keeps the key until the tab is closed', async () => {
    const task = async (page: Page) => {
      await page.getByText('This server needs a key.').waitFor()
      await screenshot(page, 'key')
      expect(await violations(page)).toEqual([])
      await give(page, 'syn_wrong')
      await page.getByText('The server does not know this API key.').waitFor()
      await give(page, operator)
      await page.getByText('Expected a key with the scope search').waitFor()
      await give(page, ` ${visitor} `)
      await cards(page).first().waitFor()
      // What the page could not load before, it loads now.
      await page.getByText('Comedy').first().waitFor({ state: 'attached' })
      await page.reload()
      await cards(page).first().waitFor()
      expect(await page.evaluate(() => sessionStorage.getItem('synoptic-key'))).toBe(visitor)
      expect(await page.evaluate(() => localStorage.length + document.cookie.length)).toBe(0)
      expect(await page.content()).not.toContain(visitor)
      expect(page.url()).not.toContain(visitor)
    }
    await scene.open(`${server.origin}/?q=kettle`, task, { expected })
  })

  it('is requested by the page of a work', async () => {
    const task = async (page: Page) => {
      await give(page, visitor)
      await page.locator('.nearest').first().waitFor()
    }
    await scene.open(`${server.origin}/?work=1&q=kettle`, task, { expected })
  })

  it('is requested by the operators’ view, with the scope admin', async () => {
    const task = async (page: Page) => {
      await page.getByText('This server needs a key with the scope admin.').waitFor()
      expect(await violations(page)).toEqual([])
      await give(page, visitor)
      await page.getByText('Expected a key with the scope admin').waitFor()
      await give(page, operator)
      await page.getByText('All is well.').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
    }
    await scene.open(`${server.origin}/status`, task, { expected })
  })
})
