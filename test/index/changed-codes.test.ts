/** Quantized codes only speed a search up: whatever happens to their file, no search fails and none changes. */
import {
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
  closeSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DatasetInfo } from '#synoptic/data/catalogue/catalogue.js'
import { createCollectionStore } from '#synoptic/search/index/store.js'
import { buildCodes, openCollection } from '#synoptic/native/addon/index.js'
import { createResourceCache } from '#synoptic/models/residency/resource-cache.js'
import { expect, test } from 'vitest'
import { randomValues, writeNpy } from '../native/npy.js'
import { scratchFolder } from '../native/scratch-folder.js'

const scratch = scratchFolder('changed-codes')
const [rows, dimension] = [2600, 80]

function flip(path: string): void {
  const bytes = readFileSync(path)
  const half = bytes.length >> 1
  const changed = bytes.subarray(half, half + 20_000).map((byte) => byte ^ 0x55)
  const file = openSync(path, 'r+')
  writeSync(file, changed, 0, changed.length, half)
  closeSync(file)
}

test.each<[string, (path: string) => void]>([
  ['changes', flip],
  ['shrinks', (path) => truncateSync(path, 4096)],
  ['is empty', (path) => truncateSync(path, 0)],
  ['is another one', (path) => writeFileSync(path, 'nothing')],
  ['is gone', (path) => rmSync(path)],
])('a file of codes that %s while it is open', async (name, change) => {
  const path = join(scratch, `${name}.npy`)
  writeNpy(path, rows, dimension, randomValues(rows * dimension, 3))
  await buildCodes(path, { bits: 8 })
  const dataset = { name: 'anime', rows, columns: ['synopsis'] } as unknown as DatasetInfo
  const store = createCollectionStore(createResourceCache(), () =>
    openCollection({ columns: [{ name: 'synopsis', path }] }),
  )
  const search = (seed: number) =>
    store.use(dataset, 'm', ({ index }) => index.search(randomValues(dimension, seed), 1, 10))
  const expected = []
  for (let seed = 0; seed < 5; seed += 1) expected.push(await search(seed))
  change(`${path}.q8`)
  for (let seed = 0; seed < 5; seed += 1) {
    const { rows, scores } = await search(seed)
    expect({ rows, scores }).toEqual({ rows: expected[seed]?.rows, scores: expected[seed]?.scores })
  }
})
