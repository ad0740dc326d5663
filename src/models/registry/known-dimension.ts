/** The length of a model's vectors, before anything of it is loaded. */
import { readModelFacts } from '../format/model-facts.js'
import type { ResolvedModel } from './registry.js'

/** By the catalogue, else by the installed files; undefined for cross-encoders, and where neither has it. */
export async function knownDimension({
  dimension,
  installed,
  folder,
}: Pick<ResolvedModel, 'dimension' | 'installed' | 'folder'>): Promise<number | undefined> {
  if (dimension !== undefined || !installed) return dimension
  return (await readModelFacts(folder)).dimension
}
