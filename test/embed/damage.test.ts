/** Files of embeddings that have changed in their middle: found, and really mended by a build. */
import { copyFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openEmbeddings } from '#synoptic/data/embed/open-embeddings.js'
import { collectionStates } from '#synoptic/data/embed/status.js'
import { openCollection } from '#synoptic/native/addon/index.js'
import { buildCodes } from '#synoptic/native/addon/quantized-codes.js'
import { builtWorkshop, decay, middle, rows } from './decay.js'
import { model, readNpy, type Workshop } from './workshop.js'

async function stateOf({ catalogue, embeddingsDir, folder }: Workshop) {
  const modelsDir = `${folder}/models`
  const states = await collectionStates({ catalogue, embeddingsDir, modelsDir, verify: false })
  return states.find((state) => state.model === model)
}

const usual = { bytesPerSecond: 2 ** 30 }

describe('a matrix that is damaged in its middle', () => {
  test('is not opened, is named by the status, and is made again by a build', async () => {
    const workshop = await builtWorkshop()
    const before = readNpy(workshop.path).values
    decay(workshop.path, middle + 3)
    const { columns } = await openEmbeddings(await workshop.query())
    await expect(openCollection({ columns })).rejects.toMatchObject({
      code: 'EFILE_DAMAGED',
      file: workshop.path,
      found: expect.stringContaining('others between byte 0 and 65') as string,
    })
    expect(await stateOf(workshop)).toMatchObject({
      state: 'damaged',
      remedy: expect.stringMatching(/^synoptic embed build --dataset anime --model \S+$/) as string,
    })
    expect((await workshop.build()).encoded).toBeGreaterThan(0)
    expect(readNpy(workshop.path).values).toEqual(before)
    expect(await stateOf(workshop)).toMatchObject({ state: 'current' })
    expect((await workshop.build()).encoded).toBe(0)
  })

  test('is found while it is searched', async () => {
    const { columns, path } = await builtWorkshop()
    const index = await openCollection({ columns })
    const bytes = columns.reduce((sum, column) => sum + readFileSync(column.path).length, 0)
    expect(await index.verify?.(usual)).toBeGreaterThanOrEqual(bytes)
    decay(path, middle + 3)
    await expect(index.verify?.(usual)).rejects.toMatchObject({ code: 'EFILE_DAMAGED', file: path })
    index.close()
  })

  test('is checked no faster than its budget, and no longer than anybody wants', async () => {
    const { columns } = await builtWorkshop()
    const index = await openCollection({ columns })
    const stop = new AbortController()
    const slow = index.verify?.({ bytesPerSecond: 1, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(slow).rejects.toThrow('enough')
    index.close()
    await expect(index.verify?.(usual)).rejects.toMatchObject({ code: 'ECLOSED' })
  })
})

test('codes that decay while they are searched are found', async () => {
  const { columns, path } = await builtWorkshop()
  await buildCodes(path, { bits: 8 })
  const codes = `${path}.q8`
  utimesSync(codes, 1e9, 1e9)
  const index = await openCollection({ columns })
  await index.verify?.(usual)
  decay(codes, readFileSync(codes).length - 100)
  await expect(index.verify?.(usual)).rejects.toMatchObject({ code: 'ECODES_CORRUPT', file: codes })
  index.close()
})

describe('embeddings built before blocks had hashes', () => {
  /** Takes the hashes out of the manifest. */
  async function olderWorkshop() {
    const workshop = await builtWorkshop()
    const { manifest } = workshop.paths()
    const old = JSON.parse(readFileSync(manifest, 'utf8')) as { columns: { blocks?: string }[] }
    for (const column of old.columns) delete column.blocks
    writeFileSync(manifest, JSON.stringify(old))
    return workshop
  }

  test('are served as they are, and get hashes from the next build, which encodes nothing', async () => {
    const workshop = await olderWorkshop()
    const { columns } = await openEmbeddings(await workshop.query())
    const index = await openCollection({ columns })
    expect(index.rows).toBe(rows)
    index.close()
    const before = readNpy(workshop.path).values
    const built = await workshop.build()
    expect(built.encoded).toBe(0)
    expect(built.columns.every(({ hashes }) => hashes !== undefined)).toBe(true)
    expect(readNpy(workshop.path).values).toEqual(before)
  })

  test('and are damaged are made again by the next build', async () => {
    const workshop = await olderWorkshop()
    const whole = `${workshop.path}.whole`
    copyFileSync(workshop.path, whole)
    decay(workshop.path, middle + 3)
    expect((await workshop.build()).encoded).toBeGreaterThan(0)
    expect(readNpy(workshop.path).values).toEqual(readNpy(whole).values)
  })
})
