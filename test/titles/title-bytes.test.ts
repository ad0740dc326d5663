/** The index as bytes: back whole, and refused where it is not. */
import { TitleIndexError } from '#synoptic/base/errors/index.js'
import { blobVersion, openSections, packSections } from '#synoptic/base/text/sections.js'
import { openTitleIndex, type TitleIndex } from '#synoptic/data/titles/title-index.js'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { indexOf } from './typos.js'

const index = indexOf(
  ['Naruto', ['native', 'ナルト'], ['other', 'with a lone \ud800 surrogate']],
  ['Attack on Titan', ['other', 'AoT']],
)
const bytesOf = (index: TitleIndex) => Buffer.concat(index.toPieces())
const bytes = bytesOf(index)

function codeOf(open: () => unknown): string {
  try {
    open()
  } catch (error) {
    if (error instanceof TitleIndexError) return error.code
    throw error
  }
  return 'opened'
}

/** The bytes with another head or content, and the checksum that goes with it. */
function changed(change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy)
  copy.writeUInt32LE(crc32(copy.subarray(16)), 8)
  return copy
}

describe('the bytes of an index', () => {
  test('open to the same index', () => {
    const opened = openTitleIndex(bytes)
    expect(opened.titleCount).toBe(5)
    for (const query of ['naruto', 'nartuo', 'ナルト', 'attack', 'like aot', 'with a lone']) {
      expect(opened.match(query, 5)).toEqual(index.match(query, 5))
      expect(opened.complete(query, 5)).toEqual(index.complete(query, 5))
    }
    expect(Buffer.compare(bytesOf(opened), bytes)).toBe(0)
  })

  test('open wherever they lie in memory', () => {
    for (const shift of [1, 4, 8]) {
      const room = new Uint8Array(bytes.length + shift)
      room.set(bytes, shift)
      const opened = openTitleIndex(room.subarray(shift))
      expect(opened.match('naruto', 1)[0]?.row).toBe(0)
    }
  })

  test('are the same for the same titles', () => {
    const titles = ['A', ['english', 'B b']] as const
    expect(Buffer.compare(bytesOf(indexOf(titles)), bytesOf(indexOf(titles)))).toBe(0)
  })
})

describe('refuses', () => {
  test.each([
    ['no bytes', Buffer.alloc(0)],
    ['fifteen bytes', Buffer.alloc(15)],
    ['zeros', Buffer.alloc(4096)],
    ['text', Buffer.from('{"not": "an index of titles, but long enough for a head"}')],
    ['the first half', Buffer.from(bytes.subarray(0, bytes.length >> 1))],
    ['bytes beyond the end', Buffer.concat([bytes, Buffer.of(1)])],
  ])('%s', (_, given) => {
    expect(codeOf(() => openTitleIndex(given))).toBe('damaged')
  })

  test('a change of a byte', () => {
    const positions = [0, 4, 7, 8, 12, 16, bytes.length - 1]
    for (let at = 100; at < bytes.length; at += 49_999) positions.push(at)
    for (const at of positions) {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ 0x10
      expect(
        codeOf(() => openTitleIndex(copy)),
        String(at),
      ).toBe(at >= 4 && at < 8 ? 'version' : 'damaged')
    }
  })

  test.each([0, blobVersion - 1, blobVersion + 1, 0xffffffff])('version %d', (version) => {
    const other = changed((copy) => copy.writeUInt32LE(version, 4))
    expect(codeOf(() => openTitleIndex(other))).toBe('version')
    expect(() => openTitleIndex(other)).toThrow(
      `expected version ${blobVersion}, received ${version}`,
    )
  })

  test('a table that cannot be read, in spite of its checksum', () => {
    expect(codeOf(() => openTitleIndex(changed((copy) => copy.write('?', 16))))).toBe('damaged')
    const long = changed((copy) => copy.writeUInt32LE(0xffffff, 12))
    expect(codeOf(() => openTitleIndex(long))).toBe('damaged')
  })

  test('parts that are missing, cut off or of another type', () => {
    const part = packSections([{ name: 'rows', array: Uint32Array.of(1, 2, 3) }])
    expect([...openSections(part).u32('rows')]).toEqual([1, 2, 3])
    expect(codeOf(() => openSections(part).u8('rows'))).toBe('damaged')
    expect(codeOf(() => openTitleIndex(part))).toBe('damaged')
    const table = Buffer.from(part).toString('latin1')
    const cut = Buffer.from(table.replace('"u32",3', '"u32",9'), 'latin1')
    cut.writeUInt32LE(crc32(cut.subarray(16)), 8)
    expect(codeOf(() => openSections(cut))).toBe('damaged')
  })

  test('with a message that says what mends it', () => {
    expect(() => openTitleIndex(Buffer.alloc(0))).toThrow(
      /expected at least 16 bytes.*import the catalogue again/,
    )
  })
})
