/** Lists of numbers by name, as four sections of a `.rows` file. */
import { byBytes } from '../../base/text/byte-order.js'
import type { RowIndexWriter } from './row-index-file.js'

/** By name. */
export type NumbersByName = ReadonlyMap<string, readonly number[] | Uint32Array>

/** @param kind what the names of the sections begin with */
export function writeNumberLists(writer: RowIndexWriter, kind: string, lists: NumbersByName): void {
  const names = [...lists.keys()].sort(byBytes)
  const nameEnds = new Uint32Array(names.length)
  const ends = new Uint32Array(names.length)
  writer.begin(`${kind}.names`)
  names.forEach((name, list) => {
    const bytes = Buffer.from(name)
    writer.add(bytes)
    nameEnds[list] = (nameEnds[list - 1] ?? 0) + bytes.length
  })
  writer.begin(`${kind}.name-ends`)
  writer.add(bytesOf(nameEnds))
  writer.begin(`${kind}.numbers`)
  names.forEach((name, list) => {
    const numbers = lists.get(name) ?? []
    writer.add(bytesOf(Uint32Array.from(numbers)))
    ends[list] = (ends[list - 1] ?? 0) + numbers.length
  })
  writer.begin(`${kind}.ends`)
  writer.add(bytesOf(ends))
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
