/** Rows of MangaBaka's dump: JSON objects, or records of SQLite whose objects are spread over columns. */
import { rmSync } from 'node:fs'
import { Database } from '../../../base/util/sqlite.js'
import { DataImportError } from '../../../base/errors/index.js'
import { codeOf } from '../cause.js'
import type { Origin } from '../../catalogue/catalogue.js'
import type { RowReader } from '../input.js'
import type { NumberedRow } from '../raw-rows.js'
import { readObjects, type JsonObject, type JsonShape } from './json-objects.js'
import { isObject, numberIn, textsIn } from './members.js'
import { unpackFirst } from './packed-file.js'

export const origin: Origin = {
  name: 'MangaBaka',
  url: 'https://mangabaka.org',
  licence: 'CC BY-NC-SA 4.0; what it has of other sites is under their terms',
  licenceUrl: 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
  attribution:
    'Data of MangaBaka (mangabaka.org), licensed under CC BY-NC-SA 4.0: name MangaBaka, use it without ' +
    'commercial purpose, and pass on what you make of it under the same licence.',
  state: null,
}

/** Members that no other data set has together, and those without which it cannot be used. */
export const markers = [
  'native_title',
  'romanized_title',
  'secondary_titles',
  'content_rating',
  'merged_with',
  'relationships',
  'has_anime',
  'source',
]
export const needed = ['id', 'title']
export const table = 'series'

export function rowsOf(file: string, shape: JsonShape): RowReader {
  return async function* rows(onBytes) {
    for await (const { line, object } of readObjects(file, shape, 'data', onBytes)) {
      if (object === undefined) yield { line, problem: 'broken JSON' }
      else yield rowOf(object, line)
    }
  }
}

/** @param isPacked whether the file is an archive of the database */
export function rowsOfDatabase(file: string, isPacked: boolean): RowReader {
  return async function* rows(onBytes, scratch) {
    const path = isPacked ? scratch : file
    if (isPacked) await unpackFirst(file, scratch, onBytes)
    try {
      yield* readDatabase(file, path)
    } finally {
      if (isPacked) for (const end of ['', '-wal', '-shm']) rmSync(scratch + end, { force: true })
    }
  }
}

function* readDatabase(file: string, path: string): Generator<NumberedRow> {
  let database: Database | undefined
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
    requireColumns(file, database)
    let line = 0
    const records = database.prepare<[], JsonObject>(`SELECT * FROM ${table}`).iterate()
    for (const record of records) yield rowOf(nested(record), (line += 1))
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause
    throw new DataImportError(file, `the database is damaged (${codeOf(cause)})`, { cause })
  } finally {
    database?.close()
  }
}

/** @throws DataImportError that names what a dump of MangaBaka has and this database lacks */
function requireColumns(file: string, database: Database): void {
  const columns = database
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table)
  const isTable = database
    .prepare<[string], number>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck()
    .get(table)
  // A view may have no end.
  if (columns.length === 0 || isTable === undefined) {
    throw new DataImportError(file, `expected MangaBaka's table ${table}, found none of that name`)
  }
  const missing = needed.filter((name) => !columns.includes(name))
  if (missing.length === 0) return
  const problem = `looks like MangaBaka's dump, but its table ${table} has no ${missing.join(', ')}`
  throw new DataImportError(file, problem)
}

/** As the JSON has it: lists are texts of JSON, and members of objects have the object's name before theirs. */
function nested(record: JsonObject): JsonObject {
  const members: Record<string, unknown> = {}
  const add = (name: string, key: string, value: unknown) => {
    const known = members[name]
    members[name] = { ...(isObject(known) ? known : {}), [key]: value }
  }
  for (const [column, value] of Object.entries(record)) {
    if (value === null) continue
    const [, object, rest] = /^(secondary_titles|relationships|source)_(.+)$/.exec(column) ?? []
    if (object === undefined || rest === undefined) members[column] = parsed(value)
    else if (object !== 'source') add(object, rest, parsed(value))
    else if (rest.endsWith('_id')) add(object, rest.slice(0, -'_id'.length), { id: value })
  }
  return members
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function rowOf(object: JsonObject, line: number): NumberedRow {
  // What was merged is there under another id, and what was deleted is gone.
  if (object.state === 'merged' || object.state === 'deleted') {
    return { line, problem: 'removed by its makers' }
  }
  const values = valuesOf(object)
  return { line, row: (name) => (Object.hasOwn(values, name) ? values[name] : object[name]) }
}

function valuesOf(object: JsonObject): JsonObject {
  const source = isObject(object.source) ? object.source : {}
  const cover = isObject(object.cover) ? object.cover : {}
  const rating = object.content_rating
  return {
    malId: siteId(source.my_anime_list),
    anilistId: siteId(source.anilist),
    titles: [object.romanized_title, object.native_title, ...secondaryTitles(object)].filter(
      (title) => typeof title === 'string',
    ),
    makers: [...new Set([...textsIn(object.authors), ...textsIn(object.artists)])],
    adult: typeof rating === 'string' ? ['erotica', 'pornographic'].includes(rating) : null,
    volumes: count(object.final_volume),
    chapters: count(object.final_chapter) ?? count(object.total_chapters),
    related: relatives(object.relationships),
    imageUrl: object.cover_raw_url ?? (isObject(cover.raw) ? cover.raw.url : cover.raw) ?? null,
    publisherNames: Array.isArray(object.publishers)
      ? object.publishers.flatMap((one) => (isObject(one) ? textsIn([one.name]) : []))
      : [],
  }
}

const siteId = (site: unknown) => (isObject(site) ? numberIn(site.id) || null : null)

/** A number, or a text of one; 0 is not known. */
function count(value: unknown): number | null {
  const number = Math.round(typeof value === 'string' ? Number.parseFloat(value) : numberIn(value))
  return Number.isSafeInteger(number) && number > 0 ? number : null
}

/** `{en: [{type, title}]}`; texts alone are read too. */
function secondaryTitles({ secondary_titles: byLanguage }: JsonObject): readonly unknown[] {
  if (!isObject(byLanguage)) return []
  const titles = Object.values(byLanguage).flat()
  return titles.map((one) => (isObject(one) ? one.title : one))
}

/** Ids of works of the same story; others have no more in common than a crossover. */
function relatives(relationships: unknown): readonly number[] {
  if (!isObject(relationships)) return []
  const ids = Object.entries(relationships).flatMap(([kind, ids]) => (kind === 'other' ? [] : ids))
  return [...new Set(ids.map(Number))].filter(Number.isSafeInteger)
}
