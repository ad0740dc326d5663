/**
 * What a second encoder has to encode before features.js can judge it: the texts of the catalogues, and the
 * queries with their folds and right rows. For encoders whose vectors are made on another machine:
 * `features.js --vectors` reads them.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { catalogueFile, openCatalogue } from '../../dist/data/catalogue/open-catalogue.js'
import { readDescriptions } from '../../dist/search/eval/descriptions.js'

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: '../fit-ranker-work' },
    output: { type: 'string', default: '../fit-ranker-work/evaluation.json' },
  },
})
const { work } = values
const numbers = new Map()

const index = {}
const queries = []
for (const name of readdirSync(join(work, 'queries'))) {
  const catalogue = openCatalogue(catalogueFile(join(work, 'catalogues', name)))
  index[name] = textsOfRows(catalogue)
  await addQueries(catalogue, name)
  catalogue.close()
}
const evaluation = { texts: [...numbers.keys()], index, queries }
writeFileSync(values.output, JSON.stringify(evaluation))
console.log(`${values.output}: ${evaluation.texts.length} texts, ${queries.length} queries`)

function numberOf(text) {
  if (!numbers.has(text)) numbers.set(text, numbers.size)
  return numbers.get(text)
}

/** The numbers of each row's texts. */
function textsOfRows(catalogue) {
  const [{ name, rows, columns }] = catalogue.datasets()
  const found = Array.from({ length: rows }, () => [])
  columns.forEach((_, column) => {
    for (const { row, text } of catalogue.texts(name, column)) found[row].push(numberOf(text))
  })
  return found
}

async function addQueries(catalogue, name) {
  const folder = join(work, 'queries', name)
  for (const file of readdirSync(folder)) {
    const [kind, fold] = file.split('.')
    const { sets } = await readDescriptions(join(folder, file), catalogue)
    for (const { name: split, items } of sets) {
      const set = [`${kind} > ${name}`, ...split.split(', ').slice(1)].join(', ')
      for (const { query, rows } of items) {
        queries.push({ set, fold: Number(fold), index: name, text: numberOf(query), right: rows })
      }
    }
  }
}
