/** `synoptic embed build` and `synoptic embed status`. */
import { expectedName, isDatasetName } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { EmbedSettings, Settings } from '../base/config/settings.js'
import { buildEmbeddings } from '../data/embed/build.js'
import { type CollectionState, type ColumnState, collectionStates } from '../data/embed/status.js'
import { SettingsError } from '../base/errors/index.js'
import { builtinModel, type ModelsLocation } from '../models/registry/registry.js'
import { counted } from '../base/util/counted.js'
import type { Command } from './command.js'
import { buildMapWithBar } from './embed-map.js'
import { runBuild, withProgressBar } from './embed-run.js'
import { checkEncoderName, wholeName } from './model-name.js'
import { parseOptions } from './parse-words.js'
import { print } from './print.js'

export const embedBuild: Command = {
  name: 'embed build',
  summary: 'Encodes the texts of the catalogue with a model.',
  help: `Usage: synoptic embed build [--dataset <name>] [--model <name>] [--force] [--map]
                            [--device <device>]

Encodes new and changed texts only. To resume a stopped build, run the same command again. The new
embeddings replace the old ones at the end, all at once. Up to eight workers load the model, as many
as fit into half of the machine's memory.

  --dataset <name>  anime or manga.
                    default all datasets of the catalogue
  --model <name>    A name that \`synoptic models list\` shows.
                    default ${builtinModel}
  --force           Encodes all texts again.
  --map             Also makes the map of the works that GET /map shows; minutes for 60,000 works.
  --device <device> auto, cpu, cuda or cuda:N, as in \`synoptic serve\`.

Example:
  synoptic embed build --dataset anime --model encoders/all-MiniLM-L6-v2`,
  run: build,
}

export const embedStatus: Command = {
  name: 'embed status',
  summary: 'Lists the embeddings, and whether they match the catalogue and the models.',
  help: `Usage: synoptic embed status [--verify]

Shows the size of each column's matrix and of its quantized codes. The codes are a copy in 4 or 8 bits
that lets searches skip most rows; there are none if reading the matrix is faster. The exit status is
1 if embeddings are stale or damaged.

  --verify  Compares every file with its hash.

Example:
  synoptic embed status --verify`,
  run: status,
}

async function build(argv: readonly string[], settings: EmbedSettings): Promise<number> {
  const { dataset, model, force, map } = readBuildOptions(argv, settings)
  return runBuild(settings, model, async (common) => {
    const all = common.catalogue.datasets().map(({ name }) => name)
    for (const name of dataset === undefined ? all : [dataset]) {
      await withProgressBar(name, (onProgress) =>
        buildEmbeddings({ ...common, force, dataset: name, onProgress }),
      )
      if (map) await buildMapWithBar({ ...common, location: settings, dataset: name })
    }
  })
}

async function status(argv: readonly string[], settings: Settings): Promise<number> {
  const { verify = false } = parseOptions('embed status', argv, { verify: { type: 'boolean' } })
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    const states = await collectionStates({ ...settings, catalogue, verify })
    print(states.map(describeState).join(''))
    return states.some(({ state }) => state === 'stale' || state === 'damaged') ? 1 : 0
  } finally {
    catalogue.close()
  }
}

function describeState(collection: CollectionState): string {
  const { dataset, model, state, manifest, problem, remedy, columns = [] } = collection
  const facts =
    manifest === undefined
      ? ''
      : `, ${counted(manifest.rows, 'row')} x ${manifest.dimension}, columns: ${manifest.columns.length}`
  const why = problem === undefined ? '' : `: ${problem}`
  const mend = remedy === undefined ? '' : `\n  ${remedy}`
  const each = columns
    .map((column) => `\n  ${describeColumn(column, manifest?.rows ?? 0)}`)
    .join('')
  return `${dataset} ${model}: ${state}${facts}${why}${each}${mend}\n`
}

function describeColumn({ name, bytes, codes }: ColumnState, rows: number): string {
  const matrix = `${name}: ${describeBytes(bytes)} of float32`
  if (codes === null) return `${matrix}, no quantized codes`
  if ('refused' in codes) return `${matrix}, quantized codes refused: ${codes.refused.message}`
  const rowsRead = `${Math.round(codes.predictedCandidates)} of ${counted(rows, 'row')}`
  return (
    `${matrix}, int${codes.bits} codes of ${describeBytes(codes.bytes)}; ` +
    `a search for ten hits reads about ${rowsRead} in float32`
  )
}

function describeBytes(bytes: number): string {
  const [unit, name] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB']
  return `${(bytes / unit).toFixed(1)} ${name}`
}

function readBuildOptions(argv: readonly string[], location: ModelsLocation) {
  const values = parseOptions('embed build', argv, {
    dataset: { type: 'string' },
    model: { type: 'string' },
    force: { type: 'boolean' },
    map: { type: 'boolean' },
  })
  const { force = false, map = false } = values
  const model = wholeName(values.model ?? builtinModel, location)
  const { dataset } = values
  const problems = [
    ...(dataset === undefined || isDatasetName(dataset)
      ? []
      : [`--dataset: expected ${expectedName}, received ${dataset}`]),
    ...checkEncoderName(model, location).map((problem) => `--model: ${problem}`),
  ]
  if (problems.length > 0) throw new SettingsError(problems.map((text) => `embed build: ${text}`))
  return { dataset, model, force, map }
}
