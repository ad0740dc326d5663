/** Cancellation, worker threads, exits and leaks. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openCollection } from '#synoptic/native/addon/index.js'
import { describe, expect, test } from 'vitest'
import { awkwardTable, writeIndex } from './max-sim-files.js'
import { randomValues, writeNpy } from './npy.js'
import { scratchFolder } from './scratch-folder.js'

const folder = scratchFolder('lifecycle')

const rows = 20_000
const dimension = 96
const path = writeNpy(join(folder, 'm.npy'), rows, dimension, randomValues(rows * dimension, 1))
const columns = [{ name: 'a', path }]
const batch = randomValues(400 * dimension, 2)
const query = randomValues(dimension, 3)

describe('an abort', () => {
  test('before the search rejects with its reason', async () => {
    const collection = await openCollection({ columns })
    const signal = AbortSignal.abort(new Error('gone'))
    await expect(collection.search(query, 1, 3, { signal })).rejects.toThrow('gone')
  })

  test('during the search drops it and what is queued, and leaves the others', async () => {
    const collection = await openCollection({ columns })
    const expected = await collection.search(query, 1, 3)
    // More than a busy machine gets done before the abort.
    const aborts = Array.from({ length: 100 }, () => new AbortController())
    const searches = aborts.map(({ signal }) =>
      collection.search(batch, 400, 100, { signal }).catch((error: unknown) => error),
    )
    const kept = collection.search(query, 1, 3)
    setImmediate(() => {
      for (const abort of aborts) abort.abort(new Error('gone'))
    })
    const outcomes = await Promise.all(searches)
    const dropped = outcomes.filter((outcome) => outcome instanceof Error)
    expect(dropped.at(-1)).toBe(outcomes.at(-1))
    for (const error of dropped) expect(error).toHaveProperty('message', 'gone')
    expect(await kept).toEqual(expected)
    expect(await collection.search(query, 1, 3)).toEqual(expected)
  })

  test('after the result changes nothing', async () => {
    const collection = await openCollection({ columns })
    const abort = new AbortController()
    const result = await collection.search(query, 1, 3, { signal: abort.signal })
    abort.abort()
    expect(result.counts[0]).toBe(3)
  })
})

const workerUrl = new URL('./worker.js', import.meta.url)

function startWorker(searches: 'once' | 'batches'): Worker {
  return new Worker(workerUrl, { workerData: { columns, query, batch, searches } })
}
const messageOf = (worker: Worker): Promise<unknown> =>
  new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))

describe('worker threads', () => {
  test('search side by side and agree with the main thread', async () => {
    const collection = await openCollection({ columns })
    const expected = await collection.search(query, 1, 3)
    const workers = [startWorker('once'), startWorker('once'), startWorker('once')]
    for (const result of await Promise.all(workers.map(messageOf))) expect(result).toEqual(expected)
  })

  test('can be ended in the middle of searches, and others begin after them', async () => {
    for (let round = 0; round < 5; round++) {
      const worker = startWorker('batches')
      expect(await messageOf(worker)).toBe('searching')
      await worker.terminate()
    }
    const collection = await openCollection({ columns })
    expect((await collection.search(query, 1, 3)).counts[0]).toBe(3)
  })

  test.skipIf(process.platform !== 'linux')(
    'leave no file open when they end while codes are built and words are scored',
    async () => {
      const matrix = join(folder, 'left.npy')
      writeNpy(matrix, 10_000, 64, randomValues(10_000 * 64, 5))
      const lists = Array.from({ length: 1000 }, () => Array.from({ length: 50 }, (_, i) => i))
      const index = writeIndex({ dimension: 64, table: awkwardTable(50, 64, 1), columns: [lists] })
      const tokens = Uint16Array.from({ length: 50 }, (_, i) => i)
      const measures = [{ exponent: 1, fullCosine: 1, weights: new Float32Array(50).fill(1) }]
      const workerData = { matrix, index, tokens, measures }
      const worker = new Worker(new URL('./left-behind.js', import.meta.url), { workerData })
      expect(await messageOf(worker)).toBe('begun')
      await worker.terminate()
      const files = [matrix, ...index.columns.map(({ path }) => path)]
      // What the core's threads have begun, they end: ten steps below others, half a minute on a busy machine.
      const left = () => openFiles().filter((file) => files.includes(file))
      await expect.poll(left, { timeout: 150_000 }).toEqual([])
    },
  )
})

/** Paths of the files that this process has open. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd))
    } catch {
      return []
    }
  })

describe('a process', () => {
  const run = (body: string): string =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--expose-gc',
        '--eval',
        `import { openCollection } from '#synoptic/native/addon/index.js'
         const columns = ${JSON.stringify(columns)}
         const query = new Float32Array(${dimension}).fill(1)
         ${body}`,
      ],
      { encoding: 'utf8', timeout: 170_000 },
    )

  test('ends by itself when its searches have', () => {
    const printed = run(`const collection = await openCollection({ columns })
      collection.search(query, 1, 2).then((result) => console.log(result.counts[0]))`)
    expect(printed).toBe('2\n')
  })

  test('can exit in the middle of searches', () => {
    const printed = run(`const collection = await openCollection({ columns })
      for (let i = 0; i < 100; i++) collection.search(query, 1, 2)
      process.on('exit', () => console.log('bye'))
      process.exit(0)`)
    expect(printed).toBe('bye\n')
  })

  test('outlives threads that are ended at any moment of their searches', () => {
    const few = writeNpy(join(folder, 'few.npy'), 200, dimension, randomValues(200 * dimension, 4))
    const printed = run(`import { Worker } from 'node:worker_threads'
      const workerData = { columns: [{ name: 'a', path: ${JSON.stringify(few)} }], query, searches: 'for ever' }
      for (let round = 0; round < 30; round++) {
        const worker = new Worker(new URL(${JSON.stringify(workerUrl.href)}), { workerData, execArgv: [] })
        await new Promise((resolve) => worker.once('message', resolve))
        // From at once to 5 ms, several rounds each.
        await new Promise((resolve) => setTimeout(resolve, round % 6))
        await worker.terminate()
      }
      console.log('alive')`)
    expect(printed).toBe('alive\n')
  })

  test.skipIf(process.platform !== 'linux')(
    'keeps neither mappings nor descriptors of collections that were closed or forgotten',
    () => {
      // A collection owns its matrices, and a matrix its mapping: what is leaked stays mapped.
      const printed = run(`import { readdirSync, readFileSync } from 'node:fs'
        const path = ${JSON.stringify(path)}
        const mapped = () => readFileSync('/proc/self/maps', 'utf8').split(path).length - 1
        const files = () => readdirSync('/proc/self/fd').length
        const turn = async (close) => {
          const collection = await openCollection({ columns })
          await collection.search(query, 1, 2)
          if (close) collection.close()
        }
        const settle = async () => {
          // A thread of the core's lets go of its search when it comes to run again.
          for (let i = 0; i < 5 || (mapped() > 0 && i < 2000); i++) {
            gc()
            await new Promise((done) => setTimeout(done, 5))
          }
          return { mapped: mapped(), files: files() }
        }
        const open = await openCollection({ columns })
        const whileOpen = mapped()
        open.close()
        for (let i = 0; i < 20; i++) await turn(i % 2 === 0)
        const before = await settle()
        for (let i = 0; i < 300; i++) await turn(i % 2 === 0)
        console.log(JSON.stringify({ whileOpen, before, after: await settle() }))`)
      const { whileOpen, before, after } = JSON.parse(printed) as Record<string, unknown>
      expect(whileOpen).toBeGreaterThan(0)
      expect(before).toMatchObject({ mapped: 0 })
      expect(after).toEqual(before)
    },
  )
})
