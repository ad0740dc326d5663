/**
 * Answers the searches of a cases file with whatever kernel the environment forces; run by
 * kernels.test.ts in a process of its own: node answer.js cases.json answers.json
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { nativeInfo, openCollection } from '#synoptic/native/index.js'

const [casesFile, answersFile] = process.argv.slice(2)
const answers = []
for (const { paths, searches } of JSON.parse(readFileSync(casesFile, 'utf8'))) {
  const columns = paths.map((path, i) => ({ name: String(i), path }))
  const collection = await openCollection({ columns })
  for (const { queries, count, k, mask, columns, distinct } of searches) {
    const bytes = Buffer.from(queries, 'base64')
    // A view that starts in the middle of its buffer, as a caller's subarray may.
    const shifted = new Float32Array(bytes.length / 4 + 1)
    Buffer.from(shifted.buffer).set(bytes, 4)
    const answer = await collection.search(shifted.subarray(1), count, k, {
      ...(mask && { mask: new Uint8Array(Buffer.from(mask, 'base64')) }),
      ...(columns && { columns }),
      distinct,
    })
    answers.push(
      Array.from({ length: count }, (_, query) =>
        Array.from({ length: answer.counts[query] }, (_, j) => {
          const at = query * k + j
          return [answer.rows[at], answer.columns[at], bitsOf(answer.scores[at])]
        }),
      ),
    )
  }
  collection.close()
}
writeFileSync(answersFile, JSON.stringify({ kernel: nativeInfo().kernel, answers }))

function bitsOf(score) {
  return new Uint32Array(Float32Array.of(score).buffer)[0]
}
