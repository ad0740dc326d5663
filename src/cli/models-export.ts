/** `synoptic models export`. */
import type { Settings } from '../config/settings.js'
import { SettingsError } from '../errors/settings-error.js'
import { createHub } from '../model-tools/hub/hub.js'
import { exportModel } from '../model-tools/export.js'
import type { ModelsLocation } from '../models/registry.js'
import type { Command } from './command.js'
import { hubEnvironmentHelp, readHubEnvironment } from './hub-environment.js'
import { readModelName } from './model-name.js'
import { describePulled } from './models-pull.js'
import { parseWords } from './parse-words.js'
import { createPullMeter } from './pull-progress.js'
import { stopOnSignal } from './stop-on-signal.js'

export const modelsExport: Command = {
  name: 'models export',
  summary: 'Makes the ONNX file of a model that is published without one, through Python.',
  help: `Usage: synoptic models export NAME [--from <folder>] [--revision <revision>] [--replace]

Fetches the weights of PyTorch, or takes those of a folder, makes onnx/model.onnx from them with
Hugging Face Optimum, tries the model and installs it. Optimum runs in the Python of SYNOPTIC_PYTHON,
else through uv, else in a python3 with an environment of its own below the folder of models; PyTorch
and Optimum take some 2 GB there.

  --from <folder>        A folder of sentence-transformers with model.safetensors or pytorch_model.bin.
  --revision <revision>  Commit, tag or branch.
                         default that of the catalogue, else main
  --replace              Takes the place of a model that is installed.

${hubEnvironmentHelp}

Example:
  synoptic models export encoders/sentence-t5-xl`,
  run: runExport,
}

async function runExport(argv: readonly string[], { modelsDir }: Settings): Promise<number> {
  const { name, endpoint, token, ...options } = readOptions(argv, { modelsDir })
  const meter = createPullMeter(name)
  const stop = stopOnSignal()
  try {
    const exported = await exportModel({
      ...{ ...options, name, modelsDir, hub: createHub({ endpoint, token }), signal: stop.signal },
      onProgress: meter.show,
      onRetry: meter.retry,
      onLine: (line) => {
        meter.close()
        process.stderr.write(`${line}\n`)
      },
    })
    meter.close()
    process.stdout.write(describePulled(exported))
    return 0
  } catch (error) {
    if (!stop.signal.aborted) throw error
    process.stderr.write('Stopped; the same command fetches no more what it has.\n')
    return 130
  } finally {
    meter.close()
    stop.forget()
  }
}

function readOptions(argv: readonly string[], location: ModelsLocation) {
  const { values, positionals } = parseWords('models export', argv, {
    from: { type: 'string' },
    revision: { type: 'string' },
    replace: { type: 'boolean' },
  })
  const { name, problems: wrongName } = readModelName(positionals, location)
  const { from, revision, replace = false } = values
  const { endpoint, token, problems: wrong } = readHubEnvironment(process.env)
  const problems = [...wrongName, ...wrong]
  if (problems.length > 0) {
    throw new SettingsError(problems.map((problem) => `models export: ${problem}`))
  }
  return { name, from, revision, replace, endpoint, token }
}
