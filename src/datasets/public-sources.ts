/** The public data sets with included mappings: ten of anime, three of manga. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { datasetNames } from '../catalogue/catalogue.js'
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
  for (const path of datasetNames.flatMap(mappingsOf)) {
    const { file } = await readMapping(path)
    if (existsSync(join(folder, file))) mappings.push(path)
    else missing.push(file)
  }
  return { mappings, missing }
}

/** The numbers in the file names give the order of the columns. */
function mappingsOf(dataset: string): readonly string[] {
  const folder = fileURLToPath(new URL(`../../data/sources/${dataset}/`, import.meta.url))
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
}
