/** What answers in place of a search engine is no fault of this server: the index is unavailable. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createEngine } from '#synoptic/search/opensearch/engine.js'
import { searchIndex } from '#synoptic/search/opensearch/searches.js'

const found = {
  name: 'synoptic-anime-1',
  meta: { dataset: 'anime', model: 'builtin/static-en' },
  isCurrent: true,
  isWhole: true,
} as unknown as Parameters<typeof searchIndex>[1]

it.each(['null', '7', '"no"', 'false', '[]', '{}', '{"_shards":null}', '{"_shards":{"total":1}}'])(
  'which is %s',
  async (answer) => {
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const engine = createEngine({ urls: [`http://127.0.0.1:${port}`], timeoutMs: 10_000 })
    try {
      const options = { body: {}, timeoutMs: 10_000, candidates: undefined }
      await expect(searchIndex(engine, found, options)).rejects.toMatchObject({
        name: 'IndexUnavailableError',
        message: expect.stringContaining('in another form than expected') as string,
      })
    } finally {
      await engine.close()
      server.close()
    }
  },
)
