/** Mappings of data/sources. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workDatasets } from '../../catalogue/catalogue.js'
import { readMapping, type Mapping } from '../mapping.js'

const folder = fileURLToPath(new URL('../../../../data/sources/', import.meta.url))

export const publicMapping = (name: string): Promise<Mapping> =>
  readMapping(join(folder, `${name}.json`))

export const publicMappings = (): Promise<readonly Mapping[]> =>
  Promise.all(['', ...workDatasets].flatMap(mappingPaths).map(readMapping))

/** The numbers in the names of a dataset's mappings give the order of their columns. */
export const mappingPaths = (within: string): readonly string[] =>
  readdirSync(join(folder, within))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, within, name))
