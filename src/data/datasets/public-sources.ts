/** The public data sets with included mappings: ten of anime, three of manga. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { workDatasets } from '../catalogue/catalogue.js'
import { mappingPaths } from './known/public-mapping.js'
import { readMapping } from './mapping.js'

export interface FoundSources {
  /** Paths of the mappings whose files exist: bases first, then in the order of their columns. */
  readonly mappings: readonly string[]
  /** Names of the missing files. */
  readonly missing: readonly string[]
}

/** Finds the files in a folder by name. */
export async function findPublicSources(folder: string): Promise<FoundSources> {
  const mappings: string[] = []
  const missing: string[] = []
  for (const path of workDatasets.flatMap(mappingPaths)) {
    const { file } = await readMapping(path)
    if (existsSync(join(folder, file))) mappings.push(path)
    else missing.push(file)
  }
  return { mappings, missing }
}
