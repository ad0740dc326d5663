/** The documentation for people who use it by other means than eyes and mouse. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SharedServer } from '../helpers/shared.js'
import { violations } from './axe.js'
import { createScene, executablePath, type Scene } from './scene.js'

describe.skipIf(executablePath === undefined)('GET /docs', () => {
  let scene: Scene
  let server: SharedServer
  beforeAll(async () => {
    scene = await createScene()
    server = await scene.shared()
  })
  afterAll(() => scene.close())

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('has nothing that axe finds wrong, at %i px, %s', async (width, colorScheme) => {
    await scene.open(
      `${server.origin}/docs`,
      async (page) => {
        for (const id of ['Search-searchAnime', 'Browse-getAnimeEntry'])
          await page.locator(`#operations-${id} .opblock-summary-control`).click()
        await page.locator('.responses-table[aria-label]').nth(1).waitFor()
        expect(await violations(page)).toEqual([])
      },
      { width, colorScheme },
    )
  })
})
