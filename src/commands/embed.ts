/** `synoptic embed build` and `synoptic embed status`. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { datasetNames } from '../catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import type { Settings } from '../config.js'
import { buildEmbeddings } from '../embed/build.js'
import { type CollectionState, collectionStates } from '../embed/status.js'
import { createEncoders } from '../encoders/encoders.js'
import { SettingsError } from '../errors/settings-error.js'
import { isAllowedModel, modelNames, resolveModel } from '../models/catalogue.js'
import { suggestion } from '../suggest.js'
import type { Command } from './command.js'
import { createBuildMeter } from './embed-meter.js'
import { stopOnSignal } from './stop-on-signal.js'

const defaultModel = 'builtin/static-en'

export const embedBuild: Command = {
  name: 'embed build',
  summary: 'Encodes the texts of the catalogue with a model.',
  help: `Usage: synoptic embed build [--dataset <name>] [--model <name>] [--force]

Texts that are encoded already are not encoded again, a build that was stopped goes on where it was
when the same command is given again, and what is served changes at the end, at once.

  --dataset <name>  anime or manga; all of the catalogue when left out.
  --model <name>    A name that \`synoptic models list\` shows.
                    default ${defaultModel}
  --force           Encodes everything again.

Example:
  synoptic embed build --dataset anime --model encoders/all-MiniLM-L6-v2`,
  run: build,
}

export const embedStatus: Command = {
  name: 'embed status',
  summary: 'Tells which embeddings there are, and whether they match the catalogue and the models.',
  help: `Usage: synoptic embed status [--verify]

The exit status is 1 where embeddings are stale or damaged.

  --verify  Reads every file and compares it with its hash.

Example:
  synoptic embed status --verify`,
  run: status,
}

async function build(argv: readonly string[], settings: Settings): Promise<number> {
  const { dataset, model, force } = readBuildOptions(argv)
  const { modelsDir, embeddingsDir } = settings
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  const encoders = createEncoders({ modelsDir })
  const stop = stopOnSignal()
  try {
    const datasets =
      dataset === undefined ? catalogue.datasets().map(({ name }) => name) : [dataset]
    const encoder = await encoders.get(model)
    const { folder: modelFolder } = resolveModel(model, { modelsDir })
    const { signal } = stop
    const common = { catalogue, encoder, modelFolder, embeddingsDir, force, signal }
    for (const name of datasets) {
      const meter = createBuildMeter(name)
      try {
        const result = await buildEmbeddings({ ...common, dataset: name, onProgress: meter.show })
        meter.end(result)
      } finally {
        meter.close()
      }
    }
    return 0
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error
    process.stderr.write('Stopped; the same command goes on from here.\n')
    return 130
  } finally {
    stop.forget()
    await encoders.close()
    catalogue.close()
  }
}

async function status(argv: readonly string[], settings: Settings): Promise<number> {
  const { verify = false } = parse('embed status', argv, { verify: { type: 'boolean' } })
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    const states = await collectionStates({ ...settings, catalogue, verify })
    process.stdout.write(states.map(describeState).join(''))
    return states.some(({ state }) => state === 'stale' || state === 'damaged') ? 1 : 0
  } finally {
    catalogue.close()
  }
}

function describeState({ dataset, model, state, manifest, problem, remedy }: CollectionState) {
  const facts =
    manifest === undefined
      ? ''
      : `, ${manifest.rows} rows x ${manifest.dimension}, columns: ${manifest.columns.length}`
  const why = problem === undefined ? '' : `: ${problem}`
  const mend = remedy === undefined ? '' : `\n  ${remedy}`
  return `${dataset} ${model}: ${state}${facts}${why}${mend}\n`
}

function readBuildOptions(argv: readonly string[]) {
  const values = parse('embed build', argv, {
    dataset: { type: 'string' },
    model: { type: 'string' },
    force: { type: 'boolean' },
  })
  const { model = defaultModel, force = false } = values
  const dataset = datasetNames.find((name) => name === values.dataset)
  const problems = [
    ...(values.dataset === undefined || dataset !== undefined
      ? []
      : [`--dataset: expected ${datasetNames.join(' or ')}, received ${values.dataset}`]),
    ...(isAllowedModel(model)
      ? []
      : [`--model: no such model ${model}${suggestion(model, [...modelNames()])}`]),
  ]
  if (problems.length > 0) throw new SettingsError(problems.map((text) => `embed build: ${text}`))
  return { dataset, model, force }
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  argv: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false }).values
  } catch (error) {
    throw new SettingsError([
      `${command}: ${error instanceof Error ? error.message : String(error)}`,
    ])
  }
}
