/**
 * Checks the catalogue in data/works, or one writer's file against its batch:
 *   node tools/works/check.js
 *   node tools/works/check.js --draft <file> --batch <file>
 * Prints each fault on a line; exits with 1 if there is one.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { faultsOfDraft, parseBatch } from './check/draft.js'
import { readVocabulary } from './check/vocabulary.js'

const { values: options } = parseArgs({
  options: { draft: { type: 'string' }, batch: { type: 'string' } },
})
const works = fileURLToPath(new URL('../../data/works/', import.meta.url))
const vocabulary = readVocabulary(`${works}tags.json`)

const faults = faultsOfDraft(
  readFileSync(options.draft, 'utf8'),
  parseBatch(readFileSync(options.batch, 'utf8')),
  vocabulary,
)
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
