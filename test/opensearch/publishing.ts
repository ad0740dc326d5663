/** Publications that are killed, that meet others, and that replace what is searched. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { listIndices } from '#synoptic/search/opensearch/find-index.js'
import type { Published } from '#synoptic/search/opensearch/publish.js'
import { randomValues } from '../native/npy.js'
import { deleteRows, openShelf, type Shelf } from './shelf.js'

interface Place {
  readonly folder: () => string
  readonly urls: () => readonly string[]
}

const program = fileURLToPath(new URL('publish-and-die.js', import.meta.url))
const [rows, dimension] = [5000, 64]

export function describePublishing({ folder, urls }: Place): void {
  describe('a publication', () => {
    const shelfOf = (prefix: string, seed: number) =>
      openShelf({
        folder: folder(),
        urls: urls(),
        prefix,
        rows,
        dimension,
        matrices: [seed, seed + 1].map((own) => randomValues(rows * dimension, own)),
      })
    const naming = (prefix: string) => ({ prefix, dataset: 'anime', model: 'tests/random' })

    let shelf: Shelf
    beforeAll(async () => {
      shelf = await shelfOf('publishing', 20)
    })

    it('that is killed after any of its calls goes on, loses nothing and doubles nothing', async () => {
      const file = join(folder(), 'publish.json')
      const { dataset, embeddings } = shelf
      const run = (calls: number, isBefore: boolean) => {
        const common = { urls: urls(), prefix: 'killed', dataset, embeddings, shards: 2 }
        writeFileSync(file, JSON.stringify({ ...common, calls, isBefore }))
        return spawnSync(process.execPath, [program, file], { encoding: 'utf8' })
      }
      let killed = 0
      let published: Published | undefined
      // Each run gets one call further than the one before it, and every second dies while the engine is at work.
      for (let calls = 0; published === undefined; calls += 1) {
        const { status, signal, stdout, stderr } = run(calls, calls % 2 === 0)
        if (signal === 'SIGKILL') killed += 1
        else {
          expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
          published = JSON.parse(stdout) as Published
        }
      }
      expect(killed).toBeGreaterThan(8)
      const found = await listIndices(shelf.engine, naming('killed'))
      expect(found).toMatchObject([{ name: published.index, isCurrent: true, isWhole: true }])
      const count = await shelf.engine.call<{ count: number }>({
        method: 'GET',
        path: `/${published.index}/_count`,
      })
      expect(count).toMatchObject({ count: rows })
    })

    it('makes good what is lost of an index that is being loaded', async () => {
      const stopping = new AbortController()
      const stopped = shelf.publish({
        signal: stopping.signal,
        onProgress: () => stopping.abort(new Error('stopped')),
      })
      await expect(stopped).rejects.toThrow('stopped')
      const [{ name } = { name: '' }] = await listIndices(shelf.engine, naming('publishing'))
      await deleteRows(shelf.engine, name, Array(700).keys())
      const { sent } = await shelf.publish()
      expect(sent).toBeGreaterThanOrEqual(700)
      const remote = await shelf.open()
      const query = randomValues(dimension, 5)
      expect(await remote.search(query, 1, 50)).toEqual(await shelf.local.search(query, 1, 50))
    })

    it('of other vectors takes the place of what is searched, and keeps that', async () => {
      const before = await shelf.publish()
      const other = await shelfOf('publishing', 40)
      const after = await other.publish()
      expect(after).toMatchObject({ isNew: true, old: [before.index] })
      const found = await listIndices(shelf.engine, naming('publishing'))
      expect(found.map(({ name, isCurrent }) => [name, isCurrent])).toEqual([
        [after.index, true],
        [before.index, false],
      ])
      // A server that has not been reloaded still finds its own.
      const query = randomValues(dimension, 6)
      const [old, young] = await Promise.all([shelf.open(), other.open()])
      expect(await old.search(query, 1, 9)).toEqual(await shelf.local.search(query, 1, 9))
      expect(await young.search(query, 1, 9)).toEqual(await other.local.search(query, 1, 9))
    })

    it('side by side with another of the same is one', async () => {
      const twin = await shelfOf('twins', 60)
      const [one, other] = await Promise.all([twin.publish(), twin.publish()])
      expect(one.index).toBe(other.index)
      const remote = await twin.open()
      const query = randomValues(dimension, 7)
      expect(await remote.search(query, 1, 30)).toEqual(await twin.local.search(query, 1, 30))
    })

    it('that never ended is not searched', async () => {
      const half = await shelfOf('half', 80)
      const stopping = new AbortController()
      const onProgress = () => stopping.abort(new Error('stopped'))
      await expect(half.publish({ signal: stopping.signal, onProgress })).rejects.toThrow('stopped')
      await expect(half.open()).rejects.toMatchObject({
        name: 'IndexMismatchError',
        remedy: 'synoptic embed publish --dataset anime --model tests/random',
        cause: { message: expect.stringContaining('not loaded to its end') as string },
      })
    })
  })
}
