/** ZIP archives, as package feeds have them. */
import { crc32 } from 'node:zlib'

/** A ZIP archive of entries that are stored as they are. */
export function zipOf(entries: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = []
  const listed: Buffer[] = []
  let offset = 0
  for (const [path, content] of entries) {
    const name = Buffer.from(path)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(content.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const madeBy = Buffer.from([20, 0])
    listed.push(Buffer.from('PK\x01\x02'), madeBy, facts, place, name)
    parts.push(Buffer.from('PK\x03\x04'), facts, name, content)
    offset += 30 + name.length + content.length
  }
  const list = Buffer.concat(listed)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.size, 4)
  end.writeUInt16LE(entries.size, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end])
}
