/** Which data set a JSON document or a file of JSON lines is. */
import { DataImportError } from '../../../base/errors/index.js'
import type { Input } from '../input.js'
import { parseObject } from '../jsonl-rows.js'
import * as animeOfflineDatabase from './anime-offline-database.js'
import { firstMembers, listOfMember, type JsonObject, type JsonShape } from './json-objects.js'
import * as mangaBaka from './mangabaka.js'
import { publicMapping } from './public-mapping.js'

const sets = [animeOfflineDatabase, mangaBaka]

/** Members that have to be there for a file to be of a set at all. */
const fewestMarkers = 2

export async function recognizeJson(file: string, text: string): Promise<Input | undefined> {
  const { shape, objects } = sampleOf(text)
  const members = new Set(objects.flatMap((object) => Object.keys(object)))
  const found = sets.map((set) => set.markers.filter((marker) => members.has(marker)).length)
  const most = Math.max(...found)
  const set = sets[found.indexOf(most)]
  if (set === undefined || most < fewestMarkers) return undefined
  const missing = set.needed.filter((name) => !members.has(name))
  if (missing.length > 0) {
    const names = missing.map((name) => JSON.stringify(name)).join(' and ')
    const problem = `looks like ${set.origin.name}, but its entries have no ${names}`
    throw new DataImportError(file, `${problem}; fetch it again, or write a mapping for it`)
  }
  const rows = set.rowsOf(file, shape)
  if (set === mangaBaka) {
    return { file, mapping: await publicMapping('mangabaka'), rows, origin: set.origin }
  }
  // It has no texts.
  const mapping = { ...(await publicMapping('anime-offline-database')), texts: {} }
  return { file, mapping, rows, origin: set.origin }
}

/** The first entries, and how they are written. */
function sampleOf(text: string): {
  readonly shape: JsonShape
  readonly objects: readonly JsonObject[]
} {
  const [first = '', ...others] = text.split('\n')
  const object = parseObject(first)
  if (object !== undefined && !Array.isArray(object.data)) {
    const objects = [object, ...others.slice(0, 50).map(parseObject)].filter(
      (one) => one !== undefined,
    )
    return { shape: 'lines', objects }
  }
  return { shape: 'document', objects: firstMembers(text, listOfMember('data')).slice(0, 50) }
}
