/** Writes what a maxsim index is opened from, into a folder that goes with the test. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MaxSimOptions } from '#synoptic/native/addon/max-sim.js'
import { distinctTokens, encodeTokenLists } from '#synoptic/data/embed/token-lists.js'
import type { OracleIndex } from './max-sim-oracle.js'

export const source = Uint8Array.from({ length: 32 }, (_, i) => i * 7)

export function writeIndex({ dimension, table, columns }: OracleIndex): MaxSimOptions {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-max-sim-'))
  const tokens = table.length / dimension
  const path = join(folder, 'table')
  const scales = Float32Array.from({ length: tokens }, (_, token) => scaleOf(token))
  writeFileSync(path, Buffer.concat([new Uint8Array(table.buffer), new Uint8Array(scales.buffer)]))
  return {
    table: { path, tokens, dimension },
    columns: columns.map((lists, column) => {
      const file = join(folder, `${column}.tokens`)
      writeFileSync(file, encodeTokenLists(lists.map(distinctTokens), tokens, source))
      return { name: `column ${column}`, path: file, source }
    }),
  }
}

/** Of a row of the table. */
export const scaleOf = (token: number): number => Math.fround(token / 64)

/** Numbers from 0 to 1 that are the same in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** A table with rows of every kind: random, equal, opposite, zero, and the extremes of int8. */
export function awkwardTable(tokens: number, dimension: number, seed: number): Int8Array {
  const random = randomNumbers(seed)
  const table = Int8Array.from(
    { length: tokens * dimension },
    () => Math.floor(random() * 256) - 128,
  )
  const set = (token: number, value: (d: number) => number) => {
    for (let d = 0; d < dimension; d++) table[token * dimension + d] = value(d)
  }
  set(0, () => 0)
  set(1, () => -128)
  set(2, () => 127)
  set(3, (d) => table[4 * dimension + d] ?? 0)
  set(5, (d) => -Math.max(-127, table[4 * dimension + d] ?? 0))
  set(6, (d) => (d === 0 ? 1 : 0))
  return table
}
