/**
 * Checks the catalogue in data/works, or one writer's file against its batch:
 *   node tools/works/check.js [--works <folder>] [--texts <folder>]
 *   node tools/works/check.js --draft <file> --batch <file>
 * Prints each fault on a line; exits with 1 if there is one.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const path = { type: 'string' }
const { values: options } = parseArgs({
  options: { draft: path, batch: path, works: path, texts: path },
})
const at = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const works = options.works ?? at('../../data/works')

const faults = options.draft === undefined ? await ofCatalogue() : await ofDraft()
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

async function ofCatalogue() {
  const { faultsOfCatalogue } = await import('./check/catalogue.js')
  const { readSourceTexts } = await import('./check/source-texts.js')
  const textsOf = readSourceTexts(options.texts ?? at('../../../shared/data'))
  if (textsOf === undefined)
    console.log('skipped: overlap with source texts (they are not at hand; see --texts)')
  const checked = faultsOfCatalogue(works, textsOf)
  console.log(`${checked.works} works`)
  return checked.faults
}

/** Loads only what it needs: writers run it after every file. */
async function ofDraft() {
  if (options.batch === undefined) throw new Error('expected --batch <file> with --draft')
  const { faultsOfDraft, parseBatch } = await import('./check/draft.js')
  const { readVocabulary } = await import('./check/vocabulary.js')
  return faultsOfDraft(
    readFileSync(options.draft, 'utf8'),
    parseBatch(readFileSync(options.batch, 'utf8')),
    readVocabulary(join(works, 'tags.json')),
  )
}
