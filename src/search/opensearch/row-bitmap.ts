/**
 * A row mask as a roaring bitmap, which a filter of the engine takes: rows in groups of 65,536, each a list of its
 * rows or, where that is longer, a plain bitmap (https://github.com/RoaringBitmap/RoaringFormatSpec).
 */
import { countRows, type RowMask } from '../../base/util/row-mask.js'

const cookieWithoutRuns = 12_346
const groupBytes = 65_536 / 8
/** A list of more rows is longer than a bitmap. */
const maxListed = 4096

/** In base64. */
export function rowBitmap(mask: RowMask): string {
  const groups = Array.from({ length: Math.ceil(mask.length / groupBytes) }, (_, key) => {
    const part = mask.subarray(key * groupBytes, (key + 1) * groupBytes)
    return { key, part, count: countRows(part) }
  }).filter(({ count }) => count > 0)
  const containers = groups.map(({ part, count }) => containerOf(part, count))
  const headerBytes = 8 + groups.length * 8
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(cookieWithoutRuns, 0)
  header.writeUInt32LE(groups.length, 4)
  let offset = headerBytes
  groups.forEach(({ key, count }, i) => {
    header.writeUInt16LE(key, 8 + i * 4)
    header.writeUInt16LE(count - 1, 10 + i * 4)
    header.writeUInt32LE(offset, 8 + groups.length * 4 + i * 4)
    offset += containers[i]?.length ?? 0
  })
  return Buffer.concat([header, ...containers]).toString('base64')
}

function containerOf(part: Uint8Array, count: number): Buffer {
  if (count > maxListed) return Buffer.concat([part, Buffer.alloc(groupBytes - part.length)])
  const list = Buffer.alloc(count * 2)
  let written = 0
  part.forEach((byte, position) => {
    for (let rest = byte; rest > 0; rest &= rest - 1) {
      list.writeUInt16LE(position * 8 + (31 - Math.clz32(rest & -rest)), written * 2)
      written += 1
    }
  })
  return list
}
