/** The documentation for people who use it by other means than eyes and mouse. */
import { describe, expect, it } from 'vitest'
import { violations } from './axe.js'
import { executablePath, useSharedPages } from './scene.js'

describe.skipIf(executablePath === undefined)('GET /docs', () => {
  const pages = useSharedPages()

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('has nothing that axe finds wrong, at %i px, %s', async (width, colorScheme) => {
    await pages.open(
      '/docs',
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
