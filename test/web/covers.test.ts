/** Covers: only where the catalogue has them and the operator allows their host; a tile replaces the rest. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createScene, executablePath, type Scene } from './scene.js'
import { works } from './works.js'

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="30"/>'
const pictures = (page: Page) => page.locator('.tile img')

describe.skipIf(executablePath === undefined)('covers', () => {
  let scene: Scene
  let host: Server
  let origin: string
  const requests: { url: string | undefined; referer: string | undefined }[] = []
  beforeAll(async () => {
    host = createServer(({ url, headers }, response) => {
      requests.push({ url, referer: headers.referer })
      if (url === '/gone.svg') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture)
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    const covers = new Map([
      [1, `${origin}/kettle.svg`],
      [4, `${origin}/gone.svg`],
      [100, 'http://127.0.0.1:9/elsewhere.svg'],
      [101, 'javascript:alert(1)'],
    ])
    scene = await createScene(works.map((work) => ({ ...work, cover: covers.get(work.id) ?? '' })))
  })
  afterAll(async () => {
    await scene.close()
    host.close()
  })

  it('are shown of an allowed host, without a word of where people come from', async () => {
    const server = await scene.serve(['--covers', origin])
    const task = async (page: Page) => {
      await pictures(page).first().waitFor()
      expect(await pictures(page).getAttribute('src')).toBe(`${origin}/kettle.svg`)
      await expect.poll(() => requests).toContainEqual({ url: '/kettle.svg', referer: undefined })
    }
    await scene.open(`${server.origin}/?work=1`, task, { other: origin })
    await scene.open(`${server.origin}/`, async (page) => {
      const { host } = new URL(origin)
      expect(await page.locator('.foot').innerText()).toContain(
        `Covers come from ${host}, which sees`,
      )
    })
  })

  it('leave the tile where they are gone, or of another host', async () => {
    const server = await scene.serve(['--covers', origin])
    const look = { other: origin, expected: /404/ }
    for (const id of [4, 100, 101, 102]) {
      const task = async (page: Page) => {
        await page.locator('.work .spine').waitFor()
        await expect.poll(() => pictures(page).count()).toBe(0)
      }
      await scene.open(`${server.origin}/?work=${id}`, task, look)
    }
  })

  it('are not requested where the operator says nothing', async () => {
    const server = await scene.serve()
    await scene.open(`${server.origin}/?work=1`, async (page) => {
      await page.locator('.work .spine').waitFor()
      expect(await pictures(page).count()).toBe(0)
    })
  })
})
