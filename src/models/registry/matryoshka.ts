/** The lengths to which a model's vectors may be cut: models that are trained for it say which. */
import { join } from 'node:path'
import * as v from 'valibot'
import { readJsonIfThere } from '../format/model-files.js'
import type { ResolvedModel } from './registry.js'

/** As publishers write it, for example Snowflake and Jina. */
const configFile = v.looseObject({
  matryoshka_dimensions: v.fallback(v.optional(v.array(v.number())), undefined),
})

/** By the catalogue, else by the model's own config.json; empty where neither names any. */
export async function matryoshkaDimensions({
  matryoshkaDimensions: listed,
  folder,
}: Pick<ResolvedModel, 'matryoshkaDimensions' | 'folder'>): Promise<readonly number[]> {
  if (listed !== undefined) return listed
  return (
    (await readJsonIfThere(join(folder, 'config.json'), configFile))?.matryoshka_dimensions ?? []
  )
}
