/**
 * Step 2, of the included works: each description of a part searches for its work's other texts, with the encoder that
 * ships, which has seen neither. What the serving code makes of it goes to a file as features.js writes them.
 *   node tools/fit-ranker/works-features.js --part fitting|reporting --output <file> [--work <folder of report.js>]
 *     [--model <encoder> --models-dir <folder>]
 */
import { createWriteStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { catalogueFile, openCatalogue } from '../../dist/data/catalogue/open-catalogue.js'
import { openSearch } from '../../dist/search/composition/open-search.js'
import { readDescriptions } from '../../dist/search/eval/descriptions.js'
import { createComputeFeatures } from '../../dist/search/ranking/features.js'
import { createFirstStage } from '../../dist/search/ranking/first-stage.js'
import { readRankerConfig } from '../../dist/search/ranking/ranker-config.js'
import { worksFor } from '../works/split.js'
import { prepareWorks, searchSettings } from './prepare-works.js'

const text = { type: 'string' }
const { values: options } = parseArgs({
  options: {
    part: text,
    output: text,
    work: text,
    model: text,
    'models-dir': { ...text, default: 'models' },
  },
})
const { part = '', output: file = '' } = options
if (!['fitting', 'reporting'].includes(part))
  throw new Error('--part: expected fitting or reporting; training is the encoders’')
const works = worksFor(part)
const encoders = ['builtin/static-en', ...(options.model ? [options.model] : [])]
const places = prepareWorks({ ...options, encoders })
const settings = await searchSettings(places)
const rankerConfig = await readRankerConfig('models/builtin/maxsim-en')
/** By the column that is left out; the last are other people's, which search all columns. */
const kinds = [
  'openings of works',
  ...Array(3).fill('descriptions of works'),
  'descriptions of others',
]
const columns = kinds.length - 1
/** The first two sentences. */
const openingOf = (synopsis) =>
  synopsis
    .split(/(?<=[.!?]) /)
    .slice(0, 2)
    .join(' ')
const catalogue = openCatalogue(catalogueFile(places.dataDir))
const bench = await readDescriptions('bench/data/descriptions.jsonl', catalogue)
const others = bench.sets
  .filter(({ name }) => name.split(', ')[1] === { fitting: 'fit', reporting: 'report' }[part])
  .flatMap(({ items }) => items)
catalogue.close()
const featureNames = ['cosine', 'bm25', 'maxsim', 'popularity']
/** As deep as /search goes. */
const count = 100

const output = createWriteStream(file)
for (const name of ['anime', 'manga']) {
  for (const [column, kind] of kinds.entries()) {
    const without = column < columns ? { dataset: name, column } : undefined
    const search = await openSearch(settings, { without })
    await writeQueries(search, name, kind, queriesOf(search.catalogue, name, column))
    await search.close()
  }
}
output.end()

/** The queries, and the rows that answer them. */
function* queriesOf(catalogue, name, column) {
  if (column < columns) {
    for (const { mal, synopsis, descriptions } of works.filter((work) => work.dataset === name)) {
      const query = column === 0 ? openingOf(synopsis) : descriptions[column - 1]
      if (query !== undefined) yield { query, wanted: [catalogue.rowOfId(name, mal)] }
    }
  } else {
    for (const { query, rows } of others.filter(({ dataset }) => dataset === name))
      yield { query, wanted: [...rows] }
  }
}

async function writeQueries(search, name, kind, queries) {
  const { catalogue } = search
  const dataset = catalogue.dataset(name)
  const popularity = catalogue.popularity(name)
  const stages = encoders.map((encoder) => ({
    encoder,
    firstStage: createFirstStage({ ...search, encoder }),
    computeFeatures: createComputeFeatures({ ...search, encoder, rankerConfig }),
  }))
  for (const { query, wanted } of queries) {
    const hits = await catalogue.lexical(name, query, count)
    const lexical = hits.map(({ row }) => row)
    const line = {
      set: `${kind} > ${name}`,
      fold: null,
      split: part === 'fitting' ? 'fit' : 'report',
      popularity: Math.max(...wanted.map((row) => popularity[row])),
      ranks: { lexical: rankOf(wanted, lexical) },
      features: {},
    }
    for (const { encoder, firstStage, computeFeatures } of stages) {
      const rows = await firstStage.candidates({ dataset, query, count, mask: undefined })
      line.ranks[`hybrid ${encoder}`] = rankOf(wanted, [...rows])
      const features = await computeFeatures({ dataset, query, rows })
      line.features[encoder] = {
        wanted: [...rows].map((row) => Number(wanted.includes(row))),
        ...Object.fromEntries(featureNames.map((kind) => [kind, [...features[kind]]])),
      }
    }
    output.write(`${JSON.stringify(line)}\n`)
  }
}

/** From 1; null where no wanted row is among those found. */
function rankOf(wanted, rows) {
  const position = rows.findIndex((row) => wanted.includes(row))
  return position < 0 ? null : position + 1
}
