/** The table behind a static encoder, where its model's folder has one that the native core can map. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { isMissing, readJsonIfThere } from '../../models/format/model-files.js'
import type { MaxSimOptions } from '../../native/addon/max-sim.js'

export type TokenTable = MaxSimOptions['table']

const staticConfig = v.object({
  model_type: v.literal('static'),
  hidden_size: v.pipe(v.number(), v.integer(), v.minValue(1)),
  vocab_size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_536)),
})
const anyConfig = v.record(v.string(), v.unknown())

/** Undefined for a model without such a table; its weights may have any other form. */
export async function findTokenTable(modelFolder: string): Promise<TokenTable | undefined> {
  const config = await readJsonIfThere(join(modelFolder, 'config.json'), anyConfig)
  const { success, output } = v.safeParse(staticConfig, config)
  if (!success) return undefined
  const { vocab_size: tokens, hidden_size: dimension } = output
  const path = join(modelFolder, 'onnx', 'model.onnx_data')
  const bytes = await sizeOf(path)
  return bytes === tokens * (dimension + 4) ? { path, tokens, dimension } : undefined
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
