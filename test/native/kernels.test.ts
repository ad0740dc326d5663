/** Every kernel that this machine runs returns what the oracle does: rows, columns, score bits. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nativeInfo } from '#synoptic/native/addon/index.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adversarialValues, randomValues, writeNpy } from './npy.js'
import { type OracleOptions, oracleSearch } from './oracle.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-kernels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const casesFile = join(folder, 'cases.json')
const expected: unknown[] = []

beforeAll(() => {
  const cases = []
  let seed = 1
  for (const rows of [0, 1, 2, 15, 16, 17, 129]) {
    for (const dimension of [1, 15, 16, 63, 64, 65, 127, 384, 1040, 4096]) {
      seed += 10
      const columns = [
        adversarialValues(rows, dimension, seed),
        randomValues(rows * dimension, seed + 1),
        // The second column again: every row ties with itself.
        randomValues(rows * dimension, seed + 1),
      ]
      const paths = columns.map((values, column) =>
        writeNpy(join(folder, `${rows}-${dimension}-${column}.npy`), rows, dimension, values),
      )
      const matrices = columns.map((values) => ({ values, dimension }))
      const searches = []
      for (const { count, k, ...options } of searchesOf(rows, seed)) {
        const queries = randomValues(count * dimension, seed + 2).map((value) => value + 0.01)
        expected.push(
          Array.from({ length: count }, (_, query) =>
            oracleSearch(
              matrices,
              rows,
              queries.subarray(query * dimension, (query + 1) * dimension),
              k,
              options,
            ).map(({ row, column, score }) => [row, column, bitsOf(score)]),
          ),
        )
        searches.push({
          ...options,
          queries: base64(queries),
          count,
          k,
          mask: options.mask && base64(options.mask),
        })
      }
      cases.push({ paths, searches })
    }
  }
  writeFileSync(casesFile, JSON.stringify(cases))
})

describe.each(nativeInfo().kernels)('%s', (kernel) => {
  test('agrees with the oracle bit for bit', () => {
    const resultsFile = join(folder, `${kernel}.json`)
    execFileSync(
      process.execPath,
      [join('test', 'native', 'search-cases.js'), casesFile, resultsFile],
      {
        env: { ...process.env, SYNOPTIC_FORCE_KERNEL: kernel },
      },
    )
    const received = JSON.parse(readFileSync(resultsFile, 'utf8')) as Record<string, unknown>
    expect(received.kernel).toBe(kernel)
    expect(received.results).toEqual(expected)
  })
})

test('an unknown kernel is refused by name', () => {
  const load = (): unknown =>
    execFileSync(process.execPath, [join('test', 'native', 'search-cases.js'), casesFile, '-'], {
      env: { ...process.env, SYNOPTIC_FORCE_KERNEL: 'sse9' },
      stdio: 'pipe',
    })
  expect(load).toThrow(/SYNOPTIC_FORCE_KERNEL: expected .*scalar.*received 'sse9'/)
})

type Search = OracleOptions & { count: number; k: number }

function searchesOf(rows: number, seed: number): Search[] {
  const bytes = Math.ceil(rows / 8)
  const one = new Uint8Array(bytes)
  if (rows > 0) one[(rows - 1) >> 3] = 1 << ((rows - 1) & 7)
  const some = new Uint8Array(randomValues(bytes, seed).buffer.slice(0, bytes))
  return [
    { count: 1, k: 10 },
    { count: 1, k: 0 },
    { count: 0, k: 3 },
    { count: 1, k: 1, distinct: false },
    { count: 3, k: rows + 5 },
    { count: 10, k: 3, distinct: false, mask: some },
    { count: 1, k: 3 * rows + 1, distinct: false, columns: [2, 0] },
    { count: 1, k: 4, columns: [1] },
    { count: 1, k: 4, mask: new Uint8Array(bytes).fill(255) },
    { count: 1, k: 4, mask: new Uint8Array(bytes) },
    { count: 1, k: 4, mask: one },
  ]
}

function base64(array: Float32Array | Uint8Array): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64')
}

function bitsOf(score: number): number {
  return new DataView(Float32Array.of(score).buffer).getUint32(0, true)
}
