/** Mappings of data/sources. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { datasetNames } from '../../catalogue/catalogue.js'
import { readMapping, type Mapping } from '../mapping.js'

const folder = fileURLToPath(new URL('../../../data/sources/', import.meta.url))

export const publicMapping = (name: string): Promise<Mapping> =>
  readMapping(join(folder, `${name}.json`))

export function publicMappings(): Promise<readonly Mapping[]> {
  const paths = [folder, ...datasetNames.map((dataset) => join(folder, dataset))].flatMap(
    (within) =>
      readdirSync(within)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(within, name)),
  )
  return Promise.all(paths.map(readMapping))
}
