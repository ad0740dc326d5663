import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npyHeader, openNpyWriter } from '#synoptic/data/embed/npy-writer.js'
import { afterAll, describe, expect, test } from 'vitest'
import { readNpy } from './workshop.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-npy-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the header', () => {
  test.each([
    [0, 1],
    [1, 384],
    [20_000, 768],
    [123_456_789, 4096],
  ])('of %i x %i fills a multiple of 64 bytes', (rows, dimension) => {
    const header = npyHeader({ rows, dimension })
    expect(header.length % 64).toBe(0)
    expect(header.subarray(0, 8)).toEqual(Buffer.from('\x93NUMPY\x01\x00', 'latin1'))
    expect(header.readUInt16LE(8)).toBe(header.length - 10)
    expect(header.at(-1)).toBe(0x0a)
  })
})

test('rows in any portions, and the hash of the file', async () => {
  const path = join(folder, 'rows.npy')
  const writer = await openNpyWriter(path, { rows: 5, dimension: 3 })
  const values = Float32Array.from({ length: 15 }, (_, i) => i / 7)
  await writer.write(values.subarray(0, 3))
  await writer.write(values.subarray(3, 3))
  await writer.write(values.subarray(3))
  const { bytes, sha256 } = await writer.finish()
  const file = readFileSync(path)
  expect(bytes).toBe(file.length)
  expect(sha256).toBe(createHash('sha256').update(file).digest('hex'))
  expect(readNpy(path)).toEqual({ rows: 5, dimension: 3, values })
})

test('rows that cross the pieces in which files are written', async () => {
  const path = join(folder, 'pieces.npy')
  const [rows, dimension] = [7, 300_001]
  const values = Float32Array.from({ length: rows * dimension }, (_, i) => i % 8191)
  const writer = await openNpyWriter(path, { rows, dimension })
  await writer.write(values.subarray(0, dimension))
  await writer.write(values.subarray(dimension, 6 * dimension))
  await writer.write(values.subarray(6 * dimension))
  const { bytes, sha256 } = await writer.finish()
  const file = readFileSync(path)
  expect(bytes).toBe(file.length)
  expect(sha256).toBe(createHash('sha256').update(file).digest('hex'))
  const found = readNpy(path)
  expect(Buffer.compare(Buffer.from(found.values.buffer), Buffer.from(values.buffer))).toBe(0)
})

test('too many, too few and broken rows are refused', async () => {
  const open = (name: string) => openNpyWriter(join(folder, name), { rows: 2, dimension: 3 })
  const many = await open('many.npy')
  await many.write(new Float32Array(6))
  await expect(many.write(new Float32Array(3))).rejects.toThrow(/at most 2, got 3 values/)
  await many.abandon()
  const broken = await open('broken.npy')
  await expect(broken.write(new Float32Array(4))).rejects.toThrow(/whole rows/)
  await broken.abandon()
  const few = await open('few.npy')
  await few.write(new Float32Array(3))
  await expect(few.finish()).rejects.toThrow(/3 values are missing/)
})

test('a folder that is not there', async () => {
  const path = join(folder, 'nowhere', 'a.npy')
  await expect(openNpyWriter(path, { rows: 1, dimension: 1 })).rejects.toThrow(/ENOENT/)
})
