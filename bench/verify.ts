/**
 * What it costs to compare matrices with the hashes of their blocks: at an opening, which reads them anyway,
 * and during the searches of many clients, whose rate with and without it is measured in turns.
 */
import { createReadStream, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifiedBytesPerSecond } from '#synoptic/search/index/verifier.js'
import { createBlockHasher } from '#synoptic/native/addon/block-hashes.js'
import { buildCodes, openCollection, type CollectionColumn } from '#synoptic/native/addon/index.js'
import type { VectorIndex } from '#synoptic/native/addon/vector-index.js'
import { makeMatrices, makeQueries, type MatrixSet } from './similarity-data.js'
import { median } from './similarity-measure.js'
import type { Trial } from './trial.js'

export const trial: Trial = {
  words: ['verify', 'hashes'],
  summary: 'Comparing matrices with their hashes, at an opening and during searches.',
  run,
}

const folder = fileURLToPath(new URL('../../build-bench', import.meta.url))
const set: MatrixSet = {
  name: 'embedding-384',
  columns: 10,
  rows: 20_000,
  dimension: 384,
  kind: 'embedding',
}
const turns = 20
const turnMs = 1000
const clients = 16
const hits = 10
const queries = makeQueries(set, clients)

async function run(print: (line: string) => void): Promise<void> {
  const paths = await makeMatrices(folder, set)
  for (const coded of [false, true]) {
    const columns = await prepare(paths, coded)
    print(`\n  ${set.columns} x ${set.rows} x ${set.dimension}, ${coded ? 'codes' : 'no codes'}`)
    await measureOpening(columns, print)
    const index = await openCollection({ columns })
    await measureWithChecks(index, print)
    index.close()
  }
}

async function prepare(paths: readonly string[], coded: boolean): Promise<CollectionColumn[]> {
  const home = join(folder, `verify-${coded ? 'coded' : 'plain'}`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  const columns: CollectionColumn[] = []
  for (const [column, target] of paths.entries()) {
    const path = join(home, `${column}.npy`)
    symlinkSync(target, path)
    const hasher = createBlockHasher()
    for await (const bytes of createReadStream(path)) hasher.add(bytes as Buffer)
    if (coded) await buildCodes(path)
    columns.push({ name: String(column), path, hashes: hasher.digest() })
  }
  return columns
}

async function measureOpening(
  columns: readonly CollectionColumn[],
  print: (line: string) => void,
): Promise<void> {
  const plain = columns.map(({ name, path }) => ({ name, path }))
  const times: { without: number[]; withHashes: number[] } = { without: [], withHashes: [] }
  for (let turn = 0; turn < turns; turn++) {
    times.without.push(await timeOpening(plain))
    times.withHashes.push(await timeOpening(columns))
  }
  const [without, withHashes] = [median(times.without), median(times.withHashes)]
  print(
    `  opening: ${without.toFixed(1)} ms without hashes, ${withHashes.toFixed(1)} ms with them ` +
      `(x ${(withHashes / without).toFixed(2)})`,
  )
}

async function timeOpening(columns: readonly CollectionColumn[]): Promise<number> {
  const begun = performance.now()
  const index = await openCollection({ columns })
  index.close()
  return performance.now() - begun
}

async function measureWithChecks(index: VectorIndex, print: (line: string) => void): Promise<void> {
  const ratios: number[] = []
  const rates: { alone: number[]; verifying: number[] } = { alone: [], verifying: [] }
  await searchesPerSecond(index)
  for (let turn = 0; turn < turns; turn++) {
    // The second of one turn comes first in the next.
    const order = turn % 2 === 0 ? ([false, true] as const) : ([true, false] as const)
    const measured = { alone: 0, verifying: 0 }
    for (const isVerifying of order) {
      const stop = isVerifying ? keepVerifying(index) : () => Promise.resolve()
      measured[isVerifying ? 'verifying' : 'alone'] = await searchesPerSecond(index)
      await stop()
    }
    rates.alone.push(measured.alone)
    rates.verifying.push(measured.verifying)
    ratios.push(measured.verifying / measured.alone)
  }
  ratios.sort((a, b) => a - b)
  const quartile = (share: number) => ratios[Math.floor(ratios.length * share)]?.toFixed(3) ?? ''
  print(
    `  ${clients} clients: ${median(rates.alone).toFixed(0)} searches/s alone, ` +
      `${median(rates.verifying).toFixed(0)} during ${verifiedBytesPerSecond >> 20} MiB/s of checks ` +
      `(x ${median(ratios).toFixed(3)}, quartiles ${quartile(0.25)} to ${quartile(0.75)})`,
  )
}

/** The function that is returned ends it; it rejects where a check has failed. */
function keepVerifying(index: VectorIndex): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const work = (async () => {
    while (!signal.aborted) await index.verify?.({ bytesPerSecond: verifiedBytesPerSecond, signal })
  })()
  const settled = work.catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return async () => {
    stop.abort()
    await settled
  }
}

async function searchesPerSecond(index: VectorIndex): Promise<number> {
  const begun = performance.now()
  let ended = 0
  const client = async (number: number): Promise<void> => {
    const begin = number * set.dimension
    const query = queries.subarray(begin, begin + set.dimension)
    for (; performance.now() - begun < turnMs; ended++) await index.search(query, 1, hits)
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return ended / ((performance.now() - begun) / 1000)
}
