/**
 * Searches of many clients at once: those on one collection share one scan, so that reading is shared.
 * The baseline is one client after the other. Also the waits during a large batch and during searches
 * that are given up.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildCodes, openCollection } from '#synoptic/native/addon/index.js'
import type { VectorIndex } from '#synoptic/native/addon/vector-index.js'
import { makeMatrices, makeQueries, type MatrixSet } from './similarity-data.js'
import { differences } from './similarity-measure.js'
import type { Trial } from './trial.js'

export const trial: Trial = {
  words: ['shared-scan', 'clients'],
  summary: 'Searches of many clients at once on one collection.',
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
const secondsEach = 2
const hits = 10
const queryCount = 256
const queries = makeQueries(set, queryCount)

async function run(print: (line: string) => void): Promise<void> {
  const paths = await makeMatrices(folder, set)
  for (const coded of [false, true]) {
    const collection = await open(paths, coded)
    print(`\n  ${set.columns} x ${set.rows} x ${set.dimension}, ${describeCodes(collection)}`)
    await checkTogether(collection)
    const alone = await measure(collection, 1)
    print(`  clients  searches/s  p50 ms  p99 ms  to one client's rate`)
    for (const clients of [1, 2, 4, 8, 16, 64]) {
      print(
        describe(
          String(clients),
          clients === 1 ? alone : await measure(collection, clients),
          alone,
        ),
      )
    }
    const batches = keepBatching(collection)
    const duringBatches = await measure(collection, 1)
    const batchesEnded = await batches()
    print(describe('1 during batches of 256', duringBatches, alone))
    print(`    ${(batchesEnded / secondsEach).toFixed(1)} of the batches a second meanwhile`)
    for (const givesUp of [false, true]) {
      const others = keepAsking(collection, givesUp)
      const who = givesUp ? '1 with 16 that give up' : '1 with 16 that stay'
      print(describe(who, await measure(collection, 1), alone))
      print(`    ${String(await others())} of theirs answered`)
    }
    collection.close()
  }
}

async function open(paths: readonly string[], coded: boolean): Promise<VectorIndex> {
  const home = join(folder, `shared-scan-${coded ? 'coded' : 'plain'}`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  const columns = paths.map((path, column) => ({
    name: String(column),
    path: join(home, `${column}.npy`),
    target: path,
  }))
  for (const { path, target } of columns) {
    symlinkSync(target, path)
    if (coded) await buildCodes(path)
  }
  return openCollection({ columns })
}

function describeCodes(collection: VectorIndex): string {
  const codes = collection.stats().codes?.[0]
  return codes && 'bits' in codes ? `codes of ${codes.bits} bits` : 'no codes'
}

function vector(i: number): Float32Array {
  const begin = (i % queryCount) * set.dimension
  return queries.subarray(begin, begin + set.dimension)
}

/** The result of a search does not depend on what runs at the same time. */
async function checkTogether(collection: VectorIndex): Promise<void> {
  const numbers = Array.from({ length: 64 }, (_, i) => i)
  const together = await Promise.all(numbers.map((i) => collection.search(vector(i), 1, hits)))
  for (const i of numbers) {
    const alone = await collection.search(vector(i), 1, hits)
    const answer = together[i]
    if (!answer || differences(answer, alone) > 0) throw new Error(`search ${i} differs`)
  }
}

interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

async function measure(collection: VectorIndex, clients: number): Promise<Measured> {
  const times: number[] = []
  const start = performance.now()
  const end = start + secondsEach * 1000
  const client = async (number: number): Promise<void> => {
    for (let i = number; performance.now() < end; i += clients) {
      const begin = performance.now()
      await collection.search(vector(i), 1, hits)
      times.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  const seconds = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? NaN
  return { perSecond: times.length / seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
}

function describe(who: string, { perSecond, p50Ms, p99Ms }: Measured, alone: Measured): string {
  return (
    `  ${who.padStart(7)} ${perSecond.toFixed(0).padStart(11)} ${p50Ms.toFixed(2).padStart(7)} ` +
    `${p99Ms.toFixed(2).padStart(7)} ${(perSecond / alone.perSecond).toFixed(2).padStart(21)}`
  )
}

/** One batch of 256 after the other; the function that is returned ends it and counts them. */
function keepBatching(collection: VectorIndex): () => Promise<number> {
  let ended = 0
  const stop = new AbortController()
  const work = (async () => {
    for (; !stop.signal.aborted; ended++) await collection.search(queries, queryCount, hits)
  })()
  return async () => {
    stop.abort()
    const endedInTime = ended
    await work
    return endedInTime
  }
}

/**
 * Sixteen clients that ask every ten milliseconds at most; those that give up have no more patience than a
 * millisecond. The function that is returned ends them and counts their answers.
 */
function keepAsking(collection: VectorIndex, givesUp: boolean): () => Promise<number> {
  let answered = 0
  const stop = new AbortController()
  const client = async (number: number): Promise<void> => {
    for (let i = number; !stop.signal.aborted; i += 16) {
      const signal = givesUp ? AbortSignal.timeout(1) : undefined
      const search = collection.search(vector(i), 1, hits, { ...(signal && { signal }) })
      const [outcome] = await Promise.allSettled([search, sleep(10)])
      if (outcome.status === 'fulfilled') answered += 1
    }
  }
  const clients = Array.from({ length: 16 }, (_, number) => client(number))
  return async () => {
    stop.abort()
    await Promise.all(clients)
    return answered
  }
}
