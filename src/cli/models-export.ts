/** `synoptic models export`. */
import type { Settings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import { createHub } from '../models/tools/hub/hub.js'
import { exportModel } from '../models/tools/export.js'
import type { ModelsLocation } from '../models/registry/registry.js'
import type { Command } from './command.js'
import { hubEnvironmentHelp, readHubEnvironment } from './hub-environment.js'
import { readModelName } from './model-name.js'
import { describePulled } from './models-pull.js'
import { parseWords } from './parse-words.js'
import { createPullProgressBar } from './pull-progress.js'
import { stopOnSignal } from './stop-on-signal.js'
import { print, printError } from './print.js'

export const modelsExport: Command = {
  name: 'models export',
  summary: 'Converts a model that is published without an ONNX file, using Python.',
  help: `Usage: synoptic models export NAME [--from <folder>] [--revision <revision>] [--replace]

Fetches the PyTorch weights, or reads them from a folder. Hugging Face Optimum converts them to
onnx/model.onnx. Then the command tests the model and installs it. Optimum runs in the Python of
SYNOPTIC_PYTHON, else through uv, else in a new Python environment in the models folder, which takes
some 2 GB.

  --from <folder>        A sentence-transformers folder with model.safetensors or pytorch_model.bin.
  --revision <revision>  Commit, tag or branch.
                         default the revision of the catalogue, else main
  --replace              Replaces an installed model.

${hubEnvironmentHelp}

Example:
  synoptic models export encoders/sentence-t5-xl`,
  run: runExport,
}

async function runExport(argv: readonly string[], { modelsDir }: Settings): Promise<number> {
  const { name, endpoint, token, ...options } = readOptions(argv, { modelsDir })
  const progressBar = createPullProgressBar(name)
  const stop = stopOnSignal()
  try {
    const exported = await exportModel({
      ...options,
      name,
      modelsDir,
      hub: createHub({ endpoint, token }),
      signal: stop.signal,
      onProgress: progressBar.show,
      onRetry: progressBar.retry,
      onLine: (line) => {
        progressBar.close()
        printError(`${line}\n`)
      },
    })
    progressBar.close()
    print(describePulled(exported))
    return 0
  } catch (error) {
    if (!stop.signal.aborted) throw error
    printError('Stopped. Run the same command again; it keeps the files that were fetched.\n')
    return 130
  } finally {
    progressBar.close()
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
