/** Lists of numbers by name, as the four sections of a `.rows` file. */
import { sortedByBytes } from '../../base/text/byte-order.js'
import { createGrowingList } from '../../base/text/growing-list.js'

/** By name. */
export type NumbersByName = ReadonlyMap<string, readonly number[] | Uint32Array>

export interface BytesSection {
  readonly name: string
  readonly bytes: Uint8Array
}

/** @param kind what the names of the sections begin with */
export function* listSections(kind: string, lists: NumbersByName): Generator<BytesSection> {
  const names = sortedByBytes(lists.keys())
  const nameEnds = new Uint32Array(names.length)
  const ends = new Uint32Array(names.length)
  const numbers = createGrowingList()
  let length = 0
  names.forEach((name, list) => {
    length += isAscii.test(name) ? name.length : Buffer.byteLength(name)
    nameEnds[list] = length
    for (const number of lists.get(name) ?? []) numbers.push(number)
    ends[list] = numbers.length
  })
  yield { name: `${kind}.names`, bytes: Buffer.from(names.join('')) }
  yield { name: `${kind}.name-ends`, bytes: bytesOf(nameEnds) }
  yield { name: `${kind}.numbers`, bytes: bytesOf(numbers.view()) }
  yield { name: `${kind}.ends`, bytes: bytesOf(ends) }
}

const isAscii = /^[\0-\x7f]*$/

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
