/** `synoptic models quantize`. */
import type { Settings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import { type QuantizedModel, quantizeModel } from '../models/tools/quantize.js'
import type { ModelsLocation } from '../models/registry/registry.js'
import type { Command } from './command.js'
import { readModelName } from './model-name.js'
import { parseWords } from './parse-words.js'
import { stopOnSignal } from './stop-on-signal.js'
import { print, printError } from './print.js'

const defaultMinCosine = 0.98

export const modelsQuantize: Command = {
  name: 'models quantize',
  summary: 'Makes an installed encoder smaller and faster with int8 weights, using Python.',
  help: `Usage: synoptic models quantize NAME [--least-cosine <n>] [--dry-run]

ONNX Runtime quantizes the weights to int8: symmetric, one scale for each channel, activations at run
time. The command compares the vectors with those of the float32 model before it replaces the model.
Afterwards, build the embeddings again. \`models pull --replace\` or \`models add --replace\` restores
float32. The quantizer runs in the Python of SYNOPTIC_PYTHON, else through uv, else in a new Python
environment in the models folder.

  --least-cosine <n>  Minimum mean cosine to float32. Below it, nothing is installed.
                      default ${defaultMinCosine}
  --dry-run           Measures only; installs nothing.

Example:
  synoptic models quantize encoders/all-MiniLM-L6-v2`,
  run: quantize,
}

async function quantize(argv: readonly string[], { modelsDir }: Settings): Promise<number> {
  const { name, leastCosine, dryRun } = readOptions(argv, { modelsDir })
  const stop = stopOnSignal()
  const onLine = (line: string) => printError(`${line}\n`)
  try {
    const { signal } = stop
    const quantized = await quantizeModel({
      name,
      modelsDir,
      leastCosine,
      dryRun,
      onLine,
      signal,
    })
    print(describe(quantized, dryRun))
    return 0
  } catch (error) {
    if (!stop.signal.aborted) throw error
    printError('Stopped; nothing was changed.\n')
    return 130
  } finally {
    stop.forget()
  }
}

function describe(model: QuantizedModel, dryRun: boolean): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  const { name, meanCosine, leastCosine, floatRate, int8Rate } = model
  return [
    `${name}: cosine to float32 ${meanCosine.toFixed(4)} on average, at least ${leastCosine.toFixed(4)}`,
    `  ${int8Rate.toFixed(0)} texts a second, float32 ${floatRate.toFixed(0)} (${(int8Rate / floatRate).toFixed(2)} times as many)`,
    `  ${megabytes(model.int8Bytes)}, float32 ${megabytes(model.floatBytes)}`,
    dryRun ? 'Nothing was installed.' : `Next: synoptic embed build --model ${name}`,
    '',
  ].join('\n')
}

function readOptions(argv: readonly string[], location: ModelsLocation) {
  const { values, positionals } = parseWords('models quantize', argv, {
    'least-cosine': { type: 'string' },
    'dry-run': { type: 'boolean' },
  })
  const { name, problems: wrong } = readModelName(positionals, location)
  const least = values['least-cosine'] ?? String(defaultMinCosine)
  const leastCosine = /^(0(\.\d+)?|1(\.0+)?)$/.test(least) ? Number(least) : undefined
  const problems = [
    ...wrong,
    ...(leastCosine === undefined ? [`--least-cosine: expected 0 to 1, received ${least}`] : []),
  ]
  if (leastCosine === undefined || problems.length > 0) {
    throw new SettingsError(problems.map((problem) => `models quantize: ${problem}`))
  }
  return { name, leastCosine, dryRun: values['dry-run'] ?? false }
}
