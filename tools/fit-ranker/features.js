/**
 * Step 2: what the serving code itself makes of every query: the candidates of the first
 * stage, their features, and the rank of the wanted entry by the first stages alone. Imports the catalogues
 * and embeds them with the table of each fold, unless that was done before.
 */
import { createHash } from 'node:crypto'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKnowledge } from '../../dist/search/knowledge/dataset-knowledge.js'
import { createSearcher } from '../../dist/search/eval/searcher.js'
import { createComputeFeatures } from '../../dist/search/ranking/features.js'
import {
  combine,
  folds,
  openEncoder,
  openParts,
  openPrepared,
  queriesOf,
  refuseOtherParts,
} from './fold-parts.js'
import { openRecordedEncoder } from './recorded-encoder.js'

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: '../fit-ranker-work' },
    data: { type: 'string', default: '../shared/data' },
    exponent: { type: 'string', default: '2' },
    'full-cosine': { type: 'string', default: '0.75' },
    together: { type: 'string', default: '0.6' },
    candidates: { type: 'string', default: '100' },
    /** A second encoder, which the ranker is fitted with too, and its folder. */
    model: { type: 'string', default: 'encoders/all-MiniLM-L6-v2' },
    'model-folder': { type: 'string', default: '../shared/models/all-MiniLM-L6-v2' },
    /** Its vectors, where they were made elsewhere, of each fold's texts: `vectors.{fold}.shipped.npy`. */
    vectors: { type: 'string' },
    /** What evaluation.js wrote of these texts. */
    evaluation: { type: 'string', default: '../fit-ranker-work/evaluation.json' },
    output: { type: 'string', default: 'features.jsonl' },
  },
})
const { work, data, model: otherModel, 'model-folder': otherFolder } = values
const builtin = 'builtin/static-en'
const featureNames = ['cosine', 'bm25', 'maxsim', 'popularity']
const count = Number(values.candidates)
const rankerConfig = {
  tokens: builtin,
  exponent: Number(values.exponent),
  fullCosine: Number(values['full-cosine']),
  together: Number(values.together),
}

refuseOtherParts(work)
const texts = values.vectors && JSON.parse(readFileSync(values.evaluation, 'utf8')).texts
const output = createWriteStream(join(work, values.output))
for (const name of readdirSync(join(work, 'queries'))) {
  const folder = join(work, 'catalogues', name)
  const catalogue = await openPrepared(folder, data)
  const open = async (encoder, modelFolder, own) =>
    openParts(catalogue, await encoder, modelFolder, join(folder, own))
  const shared = texts || (await open(openEncoder(otherModel, otherFolder), otherFolder, 'other'))
  for (const fold of folds) {
    const tables = join(work, `fold-${fold}`)
    const parts = await open(openEncoder(builtin, tables), tables, `${fold}`)
    const other = texts ? await open(recorded(fold), otherFolder, recordedFolder(fold)) : shared
    await writeQueries(catalogue, name, fold, combine(parts, other))
    await parts.close()
    if (texts) await other.close()
  }
  if (!texts) await shared.close()
  catalogue.close()
}
output.end()

function vectorsOf(fold) {
  return values.vectors.replace('{fold}', fold)
}

function recorded(fold) {
  return openRecordedEncoder({ model: otherModel, texts, file: vectorsOf(fold) })
}

/** Of its embeddings: other vectors of the same model are not mistaken for them. */
function recordedFolder(fold) {
  const hash = createHash('sha256')
    .update(readFileSync(vectorsOf(fold)))
    .digest('hex')
  return `recorded-${fold}-${hash.slice(0, 12)}`
}

async function writeQueries(catalogue, name, fold, parts) {
  const searcher = createSearcher(parts)
  const encoders = [builtin, otherModel].map((encoder) => ({
    encoder,
    computeFeatures: createComputeFeatures({ ...parts, encoder, rankerConfig }),
  }))
  const [info] = catalogue.datasets()
  const popularity = catalogue.popularity(info.name)
  const knowledge = await createKnowledge(catalogue)(info)
  for await (const { set, split, item } of queriesOf({ work, name, fold, catalogue })) {
    const dataset = catalogue.dataset(item.dataset)
    const { continued, continuation } = knowledge.fit({
      readings: [],
      text: item.query,
      explained: 0,
    })
    const line = {
      continuation,
      set,
      fold,
      split,
      popularity: Math.max(...item.rows.map((row) => popularity[row])),
      ranks: {
        lexical: rankOf(item, await searcher.find({ mode: 'lexical', model: null }, item, 100)),
      },
      features: {},
    }
    for (const { encoder, computeFeatures } of encoders) {
      const find = (mode) => searcher.find({ mode, model: encoder }, item, count)
      line.ranks[`semantic ${encoder}`] = rankOf(item, await find('semantic'))
      const rows = await find('hybrid')
      line.ranks[`hybrid ${encoder}`] = rankOf(item, rows)
      const request = { dataset, query: item.query, rows }
      const features = await computeFeatures(request)
      const other = await encoders.find((one) => one.encoder !== encoder).computeFeatures(request)
      line.features[encoder] = {
        wanted: [...rows].map((row) => Number(item.rows.includes(row))),
        // By position, the candidate that each one continues; -1 where there is none.
        first: [...rows].map((row) => rows.indexOf(continued[row])),
        ...Object.fromEntries(featureNames.map((kind) => [kind, [...features[kind]]])),
        'cosine of the other encoder': [...other.cosine],
      }
    }
    output.write(`${JSON.stringify(line)}\n`)
  }
}

/** From 1; null where no wanted row is among those found. */
function rankOf(item, rows) {
  const position = rows.findIndex((row) => item.rows.includes(row))
  return position < 0 ? null : position + 1
}
