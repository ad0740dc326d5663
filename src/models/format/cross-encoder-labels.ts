/** Whether a cross-encoder ranks: scores of several labels have no order, and which would rank is not said. */
import { ModelFileError } from './model-files.js'
import { ModelLoadError } from '../../base/errors/index.js'
import { readCrossEncoder } from './cross-encoder-config.js'

/**
 * What is wrong with a model's labels, if anything; nothing of it is loaded for that. Rejects with a
 * ModelLoadError where its folder does not say.
 */
export async function problemOfLabels(model: string, folder: string): Promise<string | undefined> {
  const labels = await readLabels(model, folder)
  if (labels.length === 1) return undefined
  const names = labels.slice(0, mostLabels).join(', ')
  const more = labels.length > mostLabels ? ', …' : ''
  return `expected a model with one label; ${model} has ${labels.length}: ${names}${more}`
}

const mostLabels = 10

async function readLabels(model: string, folder: string): Promise<readonly string[]> {
  try {
    return (await readCrossEncoder(folder)).labels
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error
    throw new ModelLoadError(model, error.message, { cause: error })
  }
}
