/** An AniList user, named in the page: the server reads the lists, and the browser keeps them. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGraphqlServer, type Answer, type GraphqlServer } from '../anilist/graphql-server.js'
import type { ServerChild } from '../serve/child.js'
import { violations } from './axe.js'
import { createScene, executablePath, screenshot, useSharedPages, type Scene } from './scene.js'

const entries = [
  // Ids of MyAnimeList as the scene gives them.
  { mediaId: 1, status: 'COMPLETED', score: 9, media: { idMal: 90_000_101, type: 'ANIME' } },
  { mediaId: 2, status: 'DROPPED', score: 0, media: { idMal: 90_000_004, type: 'ANIME' } },
  { mediaId: 3, status: 'COMPLETED', score: 7, media: { idMal: 12_345, type: 'ANIME' } },
]
const answerOf = (userName: unknown, type: unknown): Answer => {
  if (userName === 'Hermit')
    return { status: 404, body: { errors: [{ message: 'Private User', status: 404 }] } }
  if (userName !== 'Somebody') return { status: 404 }
  const lists = type === 'ANIME' ? [{ entries }] : []
  return { body: { data: { MediaListCollection: { hasNextChunk: false, lists } } } }
}

async function load(page: Page, name: string): Promise<void> {
  await page.getByLabel('name an AniList user').fill(name)
  await page.getByRole('button', { name: 'Load' }).click()
}

describe.skipIf(executablePath === undefined)('an AniList user', () => {
  let scene: Scene
  let graphql: GraphqlServer
  let server: ServerChild
  beforeAll(async () => {
    graphql = await startGraphqlServer()
    graphql.answerBy(({ body: { variables } }) => answerOf(variables?.userName, variables?.type))
    scene = await createScene()
    server = await scene.serve(['--anilist-users', 'on', '--graphql-url', graphql.url])
  })
  afterAll(async () => {
    await scene.close()
    await graphql.close()
  })

  it.each(['no-preference', 'reduce'] as const)(
    'gives recommendations by their lists (motion: %s)',
    async (reducedMotion) => {
      await scene.open(
        `${server.origin}/`,
        async (page) => {
          await page.getByRole('button', { name: 'My list' }).click()
          await load(page, 'Somebody')
          await page.getByText('2 works on your list. 1 other is not on this server.').waitFor()
          expect(await violations(page)).toEqual([])
          await screenshot(page, `anilist-user-${reducedMotion}`)
          await page.getByRole('button', { name: 'Show works for me' }).click()
          const first = page.locator('.cards:not(.skeleton) article').first()
          expect(await first.locator('.because').innerText()).toBe('Like Lighthouse 2')
          await page.reload()
          await first.waitFor()
          expect(await page.locator('article').filter({ hasText: 'Notebook' }).count()).toBe(0)
        },
        { reducedMotion },
      )
    },
  )

  it('says what to do where there are no public lists, and keeps what was there', async () => {
    await scene.open(
      `${server.origin}/`,
      async (page) => {
        await page.getByRole('button', { name: 'My list' }).click()
        await load(page, 'Nobody')
        await page.getByText('AniList has no public lists of a user named Nobody').waitFor()
        await load(page, 'Hermit')
        await page.getByText('AniList keeps the lists of Hermit private').waitFor()
        await load(page, 'not a name')
        await page.getByText('letters, digits, _ and -').waitFor()
        expect(await violations(page)).toEqual([])
        const isWide = await page
          .locator('dialog[open]')
          .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        expect(isWide).toBe(false)
        await screenshot(page, 'anilist-user-missing')
        expect(await page.evaluate(() => localStorage.getItem('synoptic-list'))).toBeNull()
      },
      { width: 390, expected: /status of 40[04]/ },
    )
  })
})

describe.skipIf(executablePath === undefined)('without --anilist-users', () => {
  const pages = useSharedPages()

  it('the page offers files alone', async () => {
    await pages.open('/', async (page) => {
      await page.getByRole('button', { name: 'My list' }).click()
      await page.getByText('Choose a file').waitFor()
      expect(await page.getByLabel('name an AniList user').count()).toBe(0)
    })
  })
})
