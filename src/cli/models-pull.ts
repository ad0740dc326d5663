/** `synoptic models pull`. */
import type { Settings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import { createHub } from '../models/tools/hub/hub.js'
import { type Dtype, dtypes } from '../models/tools/needed-files.js'
import { type PulledModel, pullModel } from '../models/tools/pull.js'
import type { ModelsLocation } from '../models/registry/registry.js'
import type { Command } from './command.js'
import { hubEnvironmentHelp, readHubEnvironment } from './hub-environment.js'
import { checkModelName, wholeName } from './model-name.js'
import { parseWords } from './parse-words.js'
import { createPullProgressBar } from './pull-progress.js'
import { stopOnSignal } from './stop-on-signal.js'
import { print, printError } from './print.js'

export const modelsPull: Command = {
  name: 'models pull',
  summary: 'Fetches models from the Hugging Face hub and installs them.',
  help: `Usage: synoptic models pull NAME... [--dtype <type>] [--revision <revision>] [--replace]

Fetches the files of a model, verifies their sizes and hashes, tests the model and installs it. To
resume a stopped pull, run the same command again.

  --dtype <type>         fp32, or fp16 or int8 if the model is published so.
                         default fp32
  --revision <revision>  Commit, tag or branch. source.json in the model's folder records the
                         commit.
                         default the revision of the catalogue, else main
  --replace              Replaces an installed model.

${hubEnvironmentHelp}

Example:
  synoptic models pull encoders/all-MiniLM-L6-v2 cross-encoder/ms-marco-MiniLM-L-6-v2`,
  run: pull,
}

async function pull(argv: readonly string[], { modelsDir }: Settings): Promise<number> {
  const { names, ...options } = readOptions(argv, { modelsDir })
  const { endpoint, token, ...common } = options
  const hub = createHub({ endpoint, token })
  const stop = stopOnSignal()
  let failures = 0
  try {
    for (const name of names) {
      const progressBar = createPullProgressBar(name)
      try {
        const { signal } = stop
        const events = { onProgress: progressBar.show, onRetry: progressBar.retry }
        const pulled = await pullModel({ ...common, ...events, name, modelsDir, hub, signal })
        progressBar.close()
        print(describePulled(pulled))
        printError(describeChange(pulled))
      } catch (error) {
        progressBar.close()
        if (stop.signal.aborted) {
          printError('Stopped. To resume, run the same command again.\n')
          return 130
        }
        // A failed model does not stop the others.
        if (names.length === 1) throw error
        printError(`error: ${error instanceof Error ? error.message : String(error)}\n`)
        failures += 1
      }
    }
    return failures === 0 ? 0 : 1
  } finally {
    stop.forget()
  }
}

/** The result as text. */
export function describePulled({
  name,
  folder,
  wasThere,
  commit,
  bytes = 0,
  ...facts
}: PulledModel): string {
  if (wasThere) return `${name}: already installed; --replace fetches it again\n`
  const { dimension, maxTokens } = facts
  const kind = dimension === undefined ? 'pairs' : `${dimension} dimensions, texts`
  const next =
    dimension === undefined
      ? `send model_name=${name} to /search`
      : `synoptic embed build --model ${name}`
  const fetched =
    commit === undefined ? '' : `${(bytes / 1e6).toFixed(1)} MB of commit ${commit.slice(0, 12)} `
  return `${name}: ${kind} of at most ${maxTokens} tokens, ${fetched}in ${folder}\nNext: ${next}\n`
}

/** A branch may have moved since: a model of the same name then gives other vectors. */
function describeChange({ name, commit = '', replacedCommit, dimension }: PulledModel): string {
  if (replacedCommit === undefined) return ''
  const stale =
    dimension === undefined ? '' : '; embeddings of it are stale until they are built again'
  const commits = `commit ${commit.slice(0, 12)} has replaced ${replacedCommit.slice(0, 12)}`
  return `warning: ${name}: ${commits}${stale}\n`
}

function readOptions(argv: readonly string[], location: ModelsLocation) {
  const { values, positionals } = parseWords('models pull', argv, {
    dtype: { type: 'string' },
    revision: { type: 'string' },
    replace: { type: 'boolean' },
  })
  const names = positionals.map((name) => wholeName(name, location))
  const { dtype = 'fp32', revision, replace = false } = values
  const { endpoint, token, problems: wrong } = readHubEnvironment(process.env)
  const problems = [
    ...(names.length > 0 ? [] : ['name a model']),
    ...names.flatMap((name) => checkModelName(name, location)),
    ...(isDtype(dtype) ? [] : [`--dtype: expected ${dtypes.join(', ')}, received ${dtype}`]),
    ...wrong,
  ]
  if (problems.length > 0 || !isDtype(dtype)) {
    throw new SettingsError(problems.map((problem) => `models pull: ${problem}`))
  }
  return { names, dtype, revision, replace, endpoint, token }
}

const isDtype = (word: string): word is Dtype => dtypes.some((dtype) => dtype === word)
