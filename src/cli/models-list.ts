/** `synoptic models add` and `synoptic models list`. */
import type { Settings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import { type AddedModel, addModel } from '../models/tools/add.js'
import { describeBatches } from './models-check.js'
import { type ResolvedModel, listModels } from '../models/registry/registry.js'
import { listCrossEncoders } from '../models/registry/cross-encoders.js'
import { knownDimension } from '../models/registry/known-dimension.js'
import { memoryNeed } from '../models/registry/model-memory.js'
import type { Command } from './command.js'
import { checkModelName, wholeName } from './model-name.js'
import { parseOptions, parseWords } from './parse-words.js'
import { print } from './print.js'

export const modelsAdd: Command = {
  name: 'models add',
  summary: 'Installs a model from a folder, under a known name or a new one.',
  help: `Usage: synoptic models add FOLDER --name <name> [--new [--batches]] [--copy] [--replace]

The folder has the sentence-transformers layout, with the model in onnx/model.onnx. models/README.md
lists the files. The command tests the model before it installs it.

  --name <name>  A name that \`synoptic models list\` shows.
  --new          Adds a new name, in custom.json in the models folder.
  --batches      Lets a new model read texts in batches even if a vector then depends on the
                 other texts. Without it, such a model reads one text at a time.
  --copy         Copies the folder. Without it, the command links to the folder,
                 which must stay where it is.
  --replace      Replaces the model that is installed under that name.

Examples:
  synoptic models add ~/all-MiniLM-L6-v2 --name encoders/all-MiniLM-L6-v2
  synoptic models add ~/my-model --name mine/anime --new`,
  run: add,
}

export const modelsList: Command = {
  name: 'models list',
  summary: 'Lists the known models, and which of them are installed.',
  help: `Usage: synoptic models list

Memory is the size of a loaded model. For models that are not installed it is an estimate from the
number of parameters. custom.json in the models folder adds models of your own; models/README.md
describes it.

Example:
  synoptic models list`,
  run: list,
}

async function add(argv: readonly string[], { modelsDir }: Settings): Promise<number> {
  const { values, positionals } = parseWords('models add', argv, {
    name: { type: 'string' },
    new: { type: 'boolean' },
    batches: { type: 'boolean' },
    copy: { type: 'boolean' },
    replace: { type: 'boolean' },
  })
  const [path] = positionals
  const { name, new: isNew = false, batches, copy = false, replace = false } = values
  const problems = [
    ...(positionals.length === 1 ? [] : [`expected one folder, received ${positionals.length}`]),
    ...(name === undefined
      ? ['set --name to the name of the model']
      : isNew
        ? []
        : checkModelName(name, { modelsDir }).map((problem) => `--name: ${problem}`)),
    ...(batches === undefined || isNew ? [] : ['--batches: expected --new, which names the model']),
  ]
  if (path === undefined || name === undefined || problems.length > 0) {
    throw new SettingsError(problems.map((problem) => `models add: ${problem}`))
  }
  const whole = isNew ? name : wholeName(name, { modelsDir })
  print(describe(await addModel({ path, name: whole, isNew, batches, modelsDir, copy, replace })))
  return 0
}

function describe(model: AddedModel): string {
  const { name, folder, dimension, maxTokens, cosineInBatch } = model
  const batches = cosineInBatch === undefined ? '' : `  batches: ${describeBatches(model)}\n`
  const facts = `at most ${maxTokens} tokens, in ${folder}`
  return dimension === undefined
    ? `${name}: pairs of ${facts}\nNext: send model_name=${name} to /search\n`
    : `${name}: ${dimension} dimensions, ${facts}\n${batches}Next: synoptic embed build --model ${name}\n`
}

async function list(argv: readonly string[], { modelsDir }: Settings): Promise<number> {
  parseOptions('models list', argv, {})
  const models = [...listModels({ modelsDir }), ...listCrossEncoders({ modelsDir })]
  const width = Math.max(...models.map(({ name }) => name.length))
  const line = (...[name, state, dimension, memory, summary]: string[]) =>
    `${name?.padEnd(width)} ${state?.padEnd('installed'.length)} ${dimension?.padStart(5)} ${memory?.padStart(8)}  ${summary}`
  const lines = await Promise.all(
    models.map(async (model) => {
      const memory = await memoryNeed(model)
      const megabytes = memory === undefined ? '-' : `${Math.ceil(memory / 1e6)} MB`
      const dimension = await knownDimension(model)
      return line(model.name, stateOf(model), `${dimension ?? '-'}`, megabytes, model.summary)
    }),
  )
  const heading = line('model', 'state', 'dim', 'memory', 'for')
  print(`${[heading, ...lines].join('\n')}\n`)
  return 0
}

const stateOf = ({ builtin, installed }: ResolvedModel): string =>
  builtin ? 'built in' : installed ? 'installed' : '-'
