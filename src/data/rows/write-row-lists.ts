/** Lists of rows, each with a value a row, as four sections of a `.rows` file. */
import type { RowIndexWriter } from './row-index-file.js'

export interface RowList {
  readonly name: string
  /** Ascending. */
  readonly rows: Uint32Array
  /** One a row. */
  readonly values: Uint16Array
}

/** Rows of a stripe have numbers of 16 bits. */
const stripeRows = 65_536

/**
 * @param kind what the names of the sections begin with
 * @param lists in the order of the bytes of their names
 */
export function writeRowLists(
  writer: RowIndexWriter,
  kind: string,
  rowCount: number,
  lists: Iterable<RowList>,
): void {
  const stripes = Math.ceil(rowCount / stripeRows)
  const names = createGrowingBytes()
  const nameEnds: number[] = []
  const ends: number[] = []
  let total = 0
  writer.begin(`${kind}.postings`)
  for (const { name, rows, values } of lists) {
    names.add(Buffer.from(name))
    nameEnds.push(names.length())
    let begin = 0
    for (let stripe = 0; stripe < stripes; stripe += 1) {
      const end = stripe === stripes - 1 ? rows.length : firstFrom(rows, (stripe + 1) * stripeRows)
      // The low bits are what is left of a row in an array of 16 bits.
      writer.add(bytesOf(Uint16Array.from(rows.subarray(begin, end))))
      writer.add(bytesOf(values.subarray(begin, end)))
      total += end - begin
      ends.push(total)
      begin = end
    }
  }
  writer.begin(`${kind}.ends`)
  writer.add(bytesOf(Uint32Array.from(ends)))
  writer.begin(`${kind}.name-ends`)
  writer.add(bytesOf(Uint32Array.from(nameEnds)))
  writer.begin(`${kind}.names`)
  writer.add(names.whole())
}

/** How many of the rows, which ascend, are below one. */
function firstFrom(rows: Uint32Array, row: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] ?? 0) < row) low = middle + 1
    else high = middle
  }
  return low
}

function createGrowingBytes() {
  const parts: Buffer[] = []
  let length = 0
  return {
    add(bytes: Buffer) {
      parts.push(bytes)
      length += bytes.length
    },
    length: () => length,
    whole: () => Buffer.concat(parts),
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
