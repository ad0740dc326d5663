/** What is open is verified again and again, and goes out of service where it has decayed. */
import { readFileSync, utimesSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { EmbeddingsBrokenError } from '#synoptic/base/errors/index.js'
import { createCollectionStore } from '#synoptic/search/index/store.js'
import { createVerifier } from '#synoptic/search/index/verifier.js'
import { openCollection } from '#synoptic/native/addon/index.js'
import { buildCodes } from '#synoptic/native/addon/quantized-codes.js'
import { createResourceCache } from '#synoptic/models/residency/resource-cache.js'
import { builtWorkshop, decay, middle } from '../embed/decay.js'
import { model } from '../embed/workshop.js'

async function openScene(coded = false) {
  const { columns, dataset, path } = await builtWorkshop()
  if (coded) {
    await buildCodes(path, { bits: 8 })
    utimesSync(`${path}.q8`, 1e9, 1e9)
  }
  const warnings: string[] = []
  let bytes = 0
  const onRead = (read: number) => (bytes += read)
  const verifier = createVerifier({ bytesPerSecond: 2 ** 30, pauseMs: 5, onRead })
  const cache = createResourceCache()
  const store = createCollectionStore(cache, () => openCollection({ columns }), {
    verifier,
    warn: (message) => warnings.push(message),
  })
  const use = () =>
    store.use(dataset, model, ({ index }) => Promise.resolve(index.stats().codes?.[0] ?? null))
  return { store, use, warnings, path, cache, bytes: () => bytes }
}

const remedy = `To fix it, run: synoptic embed build --dataset anime --model ${model}`

describe('a collection that is open', () => {
  it('is read again and again, and stays open while it is whole', async () => {
    const { use, warnings, store, cache, bytes } = await openScene()
    await use()
    await vi.waitUntil(() => bytes() > 4 * 131_072, { timeout: 170_000 })
    expect([store.damaged(), warnings]).toEqual([[], []])
    expect(store.opened('anime')).toEqual([model])
    await cache.close()
    // A block that is being read is the last.
    await vi.waitUntil(
      async () => {
        const read = bytes()
        await new Promise((resolve) => setTimeout(resolve, 200))
        return bytes() === read
      },
      { timeout: 170_000 },
    )
  })

  it('goes out of service where its matrix decays, and back once it is mended', async () => {
    const { use, warnings, store, path, cache } = await openScene()
    await use()
    decay(path, middle + 3)
    await vi.waitUntil(() => store.damaged().length > 0, { timeout: 170_000 })
    expect(store.damaged()).toMatchObject([{ dataset: 'anime', model }])
    expect(warnings).toEqual([expect.stringContaining(remedy)])
    await expect(use()).rejects.toThrow(EmbeddingsBrokenError)
    expect(store.opened('anime')).toEqual([])
    decay(path, middle + 3)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
    await expect(use()).resolves.toBeNull()
    expect(store.damaged()).toEqual([])
    vi.restoreAllMocks()
    await cache.close()
  })

  it('is served without its codes where those decay', async () => {
    const { use, warnings, store, path, cache } = await openScene(true)
    expect(await use()).toMatchObject({ bits: 8 })
    decay(`${path}.q8`, readFileSync(`${path}.q8`).length - 100)
    await vi.waitUntil(() => warnings.length > 0, { timeout: 170_000 })
    expect(warnings).toEqual([expect.stringContaining(remedy)])
    expect(store.damaged()).toEqual([])
    expect(await use()).toMatchObject({ refused: { code: 'ECODES_CORRUPT' } })
    await cache.close()
  })
})
