/**
 * Adds queries to corpus/examples.jsonl with what the built reader reads today on the built-in catalogue:
 *   node tools/reader/record-examples.js QUERIES.jsonl       (lines of {"query","dataset","from"})
 * Read and correct each line that it adds: what is expected is what a person means, not what the reader says.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { openReaders } from './open-readers.js'
import { readingOf } from './readings.js'

const [input] = process.argv.slice(2)
if (input === undefined) throw new Error('expected a file of queries')
const output = new URL('corpus/examples.jsonl', import.meta.url)
const known = new Set(
  (existsSync(output) ? readFileSync(output, 'utf8').split('\n').filter(Boolean) : []).map(
    (line) => JSON.parse(line).query,
  ),
)
const readers = await openReaders()
let added = 0
for (const line of readFileSync(input, 'utf8').split('\n').filter(Boolean)) {
  const { query, dataset = 'anime', from } = JSON.parse(line)
  if (known.has(query) || query.length > 400) continue
  known.add(query)
  const { readings } = await readers.interpret(dataset, query)
  appendFileSync(
    output,
    `${JSON.stringify({ query, dataset, from, expect: readings.map((one) => readingOf(one, query)) })}\n`,
  )
  added += 1
}
await readers.close()
console.log(`${added} queries added`)
