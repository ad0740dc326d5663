/**
 * Runs the searches of a cases file with whatever kernel the environment forces; run by
 * kernels.test.ts in a process of its own: node search-cases.js cases.json results.json
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { nativeInfo, openCollection } from '#synoptic/native/addon/index.js'

const [casesFile, resultsFile] = process.argv.slice(2)
const results = []
for (const { paths, searches } of JSON.parse(readFileSync(casesFile, 'utf8'))) {
  const columns = paths.map((path, i) => ({ name: String(i), path }))
  const collection = await openCollection({ columns })
  for (const { queries, count, k, mask, columns, distinct } of searches) {
    const bytes = Buffer.from(queries, 'base64')
    // A view that starts in the middle of its buffer, as a caller's subarray may.
    const shifted = new Float32Array(bytes.length / 4 + 1)
    Buffer.from(shifted.buffer).set(bytes, 4)
    const result = await collection.search(shifted.subarray(1), count, k, {
      ...(mask && { mask: new Uint8Array(Buffer.from(mask, 'base64')) }),
      ...(columns && { columns }),
      distinct,
    })
    results.push(
      Array.from({ length: count }, (_, query) =>
        Array.from({ length: result.counts[query] }, (_, j) => {
          const at = query * k + j
          return [result.rows[at], result.columns[at], bitsOf(result.scores[at])]
        }),
      ),
    )
  }
  collection.close()
}
writeFileSync(resultsFile, JSON.stringify({ kernel: nativeInfo().kernel, results }))

function bitsOf(score) {
  return new Uint32Array(Float32Array.of(score).buffer)[0]
}
