/** A dataset of the operator's own on the page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeRecipes } from '../own-datasets/recipes.js'
import type { ServerChild } from '../serve/child.js'
import { violations } from './axe.js'
import { createScene, executablePath, type Scene } from './scene.js'

describe.skipIf(executablePath === undefined)('a dataset of recipes on the page', () => {
  let scene: Scene
  let server: ServerChild
  beforeAll(async () => {
    scene = await createScene()
    const id = { from: 'name', as: 'text' }
    const mapping = writeRecipes(scene.folder, 'recipes', id)
    scene.run('data', 'import', '--works', 'off', mapping)
    scene.run('embed', 'build', '--dataset', 'recipes')
    server = await scene.serve()
  })
  afterAll(() => scene.close())

  it('is a choice, and its entries have pages', async () => {
    await scene.open(`${server.origin}/`, async (page) => {
      const choices = page.getByRole('group', { name: 'What to search' })
      expect(await choices.getByRole('button').allInnerTexts()).toEqual([
        'Anime',
        'Manga',
        'Recipes',
        'All',
      ])
      await choices.getByRole('button', { name: 'Recipes' }).click()
      expect(new URL(page.url()).searchParams.get('in')).toBe('recipes')
      await page.getByRole('heading', { name: 'What are you looking for?' }).waitFor()
      await page.locator('#box').fill('noodles in broth with an egg')
      await page.getByRole('button', { name: 'Search recipes' }).click()
      const first = page.getByRole('article').first()
      await first.getByRole('link', { name: 'Ramen' }).click()
      await page.getByRole('heading', { name: 'Ramen', level: 1 }).waitFor()
      await page.getByText('Noodles in a pork broth').first().waitFor()
      expect(new URL(page.url()).searchParams.get('work')).toBe('Ramen')
      await page.getByRole('link', { name: 'Lentil soup' }).first().click()
      await page.getByRole('heading', { name: 'Lentil soup', level: 1 }).waitFor()
      expect(await violations(page)).toEqual([])
    })
  })

  it('is searched together with the others', async () => {
    await scene.open(`${server.origin}/?in=both&q=noodles+in+broth+with+an+egg`, async (page) => {
      const first = page.getByRole('article').first()
      await first.getByRole('link', { name: 'Ramen' }).waitFor()
      expect(await first.innerText()).toContain('Recipes')
    })
  })

  it('that is not there is the first that is', async () => {
    await scene.open(`${server.origin}/?in=films`, async (page) => {
      await page.getByRole('heading', { name: 'Which anime was it?' }).waitFor()
    })
  })
})
