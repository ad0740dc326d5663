/** Whose data the datasets are made of. Catalogues of earlier versions do not tell. */
import type { Database } from '../../base/util/sqlite.js'
import * as v from 'valibot'
import type { Origin } from './dataset.js'

const originSchema = v.object({
  name: v.string(),
  url: v.string(),
  licence: v.string(),
  licenceUrl: v.string(),
  attribution: v.string(),
  state: v.nullable(v.string()),
})

export function writeOrigins(database: Database, number: number, origins: readonly Origin[]): void {
  const insert = database.prepare('INSERT INTO origins VALUES (?, ?, ?)')
  origins.forEach((origin, position) => {
    insert.run(number, position, JSON.stringify(origin))
  })
}

export function readOrigins(database: Database, number: number): readonly Origin[] {
  const hasTable = database
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'origins'")
    .get()
  if (hasTable === undefined) return []
  const texts = database
    .prepare<[number], string>('SELECT origin FROM origins WHERE dataset = ? ORDER BY position')
    .pluck()
    .all(number)
  return texts.flatMap((text) => {
    const origin = v.safeParse(v.pipe(v.string(), v.parseJson(), originSchema), text)
    return origin.success ? [origin.output] : []
  })
}
