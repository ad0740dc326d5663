/** The rows and impacts of all stems, as four sections of a `.rows` file. */
import type { Postings } from '../lexical/postings.js'
import type { RowIndexWriter } from './row-index-file.js'

export function writePostings(writer: RowIndexWriter, { stems, parts }: Postings): void {
  const ends: Uint32Array[] = []
  writer.begin('stem.postings')
  for (const part of parts) {
    writer.add(bytesOf(part.postings))
    ends.push(part.ends)
  }
  writer.begin('stem.ends')
  for (const part of ends) writer.add(bytesOf(part))
  let end = 0
  writer.begin('stem.name-ends')
  writer.add(bytesOf(Uint32Array.from(stems, (stem) => (end += Buffer.byteLength(stem)))))
  writer.begin('stem.names')
  writer.add(Buffer.from(stems.join('')))
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
