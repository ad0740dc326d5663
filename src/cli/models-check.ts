/** `synoptic models check`. */
import type { Settings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import type { AddedModel } from '../models/tools/add.js'
import { type ModelCheck, checkModel } from '../models/tools/check.js'
import type { ModelsLocation } from '../models/registry/registry.js'
import { counted } from '../base/util/counted.js'
import type { Command } from './command.js'
import { readModelName } from './model-name.js'
import { parseWords } from './parse-words.js'
import { print } from './print.js'

export const modelsCheck: Command = {
  name: 'models check',
  summary:
    'Tests an installed model: dimension, speed, memory, and its vectors against a reference.',
  help: `Usage: synoptic models check NAME

Loads the model and encodes texts. If the model's folder has reference_texts.json (a list of texts) and
reference_vectors.npy (their vectors by sentence-transformers), the command compares the vectors. It
compares the files of a pulled model with the sizes and hashes in source.json. The exit status is 1 if
the vectors of a float32 model differ from the reference, or if a file has changed. A model whose vectors
depend on the other texts of a batch, as with int8 activations, reads one text at a time, unless
custom.json gives it "batches": true.

Example:
  synoptic models check builtin/static-en`,
  run: check,
}

async function check(argv: readonly string[], { modelsDir }: Settings): Promise<number> {
  const name = readName(argv, { modelsDir })
  const result = await checkModel(name, modelsDir)
  print(describe(result))
  const isSound = result.changedFiles.length === 0 && result.reference?.isMet !== false
  return isSound ? 0 : 1
}

function describe(check: ModelCheck): string {
  const { name, device, dimension, maxTokens, source, changedFiles, reference } = check
  const kind = dimension === undefined ? 'pairs' : 'texts'
  const facts = dimension === undefined ? '' : `${dimension} dimensions, `
  const lines = [
    `${name}: ${facts}${kind} of at most ${maxTokens} tokens, on ${device}`,
    ...(source === undefined
      ? []
      : [`source: ${source.repository} at ${source.commit.slice(0, 12)}, ${source.dtype}`]),
    ...(source === undefined || source.files.length === 0
      ? []
      : [`files: ${describeFiles(name, source.files.length, changedFiles)}`]),
    `loading: ${check.loadMs.toFixed(0)} ms, memory ${(check.memoryBytes / 1e6).toFixed(0)} MB`,
    `speed: ${check.textsPerSecond.toFixed(0)} ${kind} a second, one short one ${check.shortMs.toFixed(1)} ms`,
    ...(check.cosineInBatch === undefined ? [] : [`batches: ${describeBatches(check)}`]),
    ...(reference === undefined
      ? []
      : [
          `reference: ${counted(reference.texts, 'text')}, cosine at least ${reference.minCosine.toFixed(7)}` +
            (reference.isMet ? '' : '; expected 0.99999'),
        ]),
  ]
  return `${lines.join('\n  ')}\n`
}

/** The line for a model whose vectors depend on the batch. */
export const describeBatches = ({
  cosineInBatch = 1,
  batches = false,
}: Pick<AddedModel, 'cosineInBatch' | 'batches'>): string =>
  `a vector depends on the other texts of its batch (cosine ${cosineInBatch.toFixed(4)}), ` +
  (batches ? 'and custom.json lets it read batches' : 'so the model reads one text at a time')

const describeFiles = (name: string, count: number, changed: readonly string[]): string =>
  changed.length === 0
    ? `${count}, all unchanged`
    : `changed since the pull: ${changed.join(', ')}; \`synoptic models pull --replace ${name}\` restores them`

function readName(argv: readonly string[], location: ModelsLocation): string {
  const { positionals } = parseWords('models check', argv, {})
  const { name, problems } = readModelName(positionals, location)
  if (problems.length === 0) return name
  throw new SettingsError(problems.map((problem) => `models check: ${problem}`))
}
