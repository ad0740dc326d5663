/** Lists of numbers by name, as four sections of a `.rows` file. */
import { sortedByBytes } from '../../base/text/byte-order.js'
import { createGrowingList } from '../../base/text/growing-list.js'
import type { RowIndexWriter } from './row-index-file.js'

/** By name. */
export type NumbersByName = ReadonlyMap<string, readonly number[] | Uint32Array>

/** @param kind what the names of the sections begin with */
export function writeNumberLists(writer: RowIndexWriter, kind: string, lists: NumbersByName): void {
  const names = sortedByBytes(lists.keys())
  const nameEnds = new Uint32Array(names.length)
  const ends = new Uint32Array(names.length)
  let length = 0
  names.forEach((name, list) => {
    length += Buffer.byteLength(name)
    nameEnds[list] = length
  })
  writer.begin(`${kind}.names`)
  writer.add(Buffer.from(names.join('')))
  writer.begin(`${kind}.name-ends`)
  writer.add(bytesOf(nameEnds))
  const numbers = createGrowingList()
  names.forEach((name, list) => {
    for (const number of lists.get(name) ?? []) numbers.push(number)
    ends[list] = numbers.length
  })
  writer.begin(`${kind}.numbers`)
  writer.add(bytesOf(numbers.view()))
  writer.begin(`${kind}.ends`)
  writer.add(bytesOf(ends))
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
