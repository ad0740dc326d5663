/** Files that `synoptic data export` wrote: JSON lines or Parquet, read back with every member. */
import { basename } from 'node:path'
import { isDatasetName, type DatasetName } from '../../catalogue/catalogue.js'
import { countNames, listNames, wordNames } from '../../catalogue/entry-facts.js'
import { DataImportError } from '../../../base/errors/index.js'
import type { Input, RowReader } from '../input.js'
import { valueAt } from '../jsonl-rows.js'
import { withTextIds, type Mapping } from '../mapping.js'
import { readTable } from '../tables/read-table.js'
import { isKnownType, mangaTypes } from '../types.js'
import { isObject } from './members.js'

type Row = Readonly<Record<string, unknown>>

/** Members that every export has, and no other data set together. */
const markers = ['id', 'title', 'alternativeTitles', 'spoilerTags', 'metadata', 'texts']

/**
 * @param rows the first of the file, not flattened
 * @param dataset what the notes of a Parquet file say
 * @returns undefined for a file that is not an export
 */
export function recognizeExport(
  file: string,
  format: 'jsonl' | 'parquet',
  rows: readonly Row[],
  dataset?: string,
): Input | undefined {
  const [first] = rows
  if (first === undefined || !markers.every((name) => Object.hasOwn(first, name))) return undefined
  const mapping = mappingOf(rows, {
    file: basename(file),
    format,
    dataset: datasetOf(file, rows, dataset ?? first.dataset),
  })
  return { file, mapping, rows: rowsOf(file, mapping) }
}

/** Exports of older versions do not name their dataset; types do. */
function datasetOf(file: string, rows: readonly Row[], noted: unknown): DatasetName {
  if (typeof noted === 'string' && isDatasetName(noted)) return noted
  const types = rows.flatMap(({ type }) =>
    typeof type === 'string' && isKnownType(type) ? type : [],
  )
  if (types.length === 0) {
    const problem = 'is an export that does not say whether it holds anime or manga'
    throw new DataImportError(file, `${problem}; export it again with this version`)
  }
  const books = types.filter((type) => mangaTypes.has(type)).length
  return books * 2 > types.length ? 'manga' : 'anime'
}

function mappingOf(
  rows: readonly Row[],
  about: Pick<Mapping, 'file' | 'format' | 'dataset'>,
): Mapping {
  const filled = (name: string) => rows.some((row) => row[name] !== null && row[name] !== undefined)
  const facts = [...countNames, ...listNames, ...wordNames, 'adult'].filter(filled)
  const optional = (name: string) => ({ from: name, optional: true })
  const inside = (member: string) =>
    [
      ...new Set(rows.flatMap((row) => (isObject(row[member]) ? Object.keys(row[member]) : []))),
    ].map((name) => [name, optional(`${member}.${name}`)] as const)
  return withTextIds({
    ...about,
    encoding: 'utf-8',
    fields: {
      id: rows.some(({ id }) => typeof id === 'string') ? { from: 'id', as: 'text' } : 'id',
      title: 'title',
      titles: [optional('alternativeTitles')],
      ...Object.fromEntries(
        ['type', 'year', 'score', 'popularity', 'genres', ...facts].map((name) => [
          name,
          optional(name),
        ]),
      ),
      // The former name, for one minor version.
      ...(filled('place') && { relation: optional('place') }),
      ...((filled('tags') || filled('spoilerTags')) && { tags: optional('tags') }),
    },
    metadata: Object.fromEntries(inside('metadata')),
    texts: Object.fromEntries(inside('texts')),
  })
}

/** Tags that tell how the story goes on are a list of their own in an export, and marked in a source. */
function rowsOf(file: string, mapping: Mapping): RowReader {
  return async function* rows(onBytes) {
    for await (const raw of readTable(file, { ...mapping, names: [] }, onBytes)) {
      if ('problem' in raw) yield raw
      else {
        const { row, line } = raw
        yield { line, row: (name) => (name === 'tags' ? tagsOf(row) : memberOf(row, name)) }
      }
    }
  }
}

function tagsOf(row: (name: string) => unknown) {
  const listed = (member: string, isMediaSpoiler: boolean) => {
    const tags = row(member)
    return isObject(tags)
      ? Object.entries(tags).map(([name, weight]) => ({
          name,
          rank: weight === 3 ? 100 : weight === 2 ? 60 : 20,
          isMediaSpoiler,
        }))
      : []
  }
  return [...listed('tags', false), ...listed('spoilerTags', true)]
}

/** Columns of texts have names with spaces and dots. */
function memberOf(row: (name: string) => unknown, name: string): unknown {
  const [, member, inner] = /^(metadata|texts)\.(.+)$/s.exec(name) ?? []
  if (member === undefined || inner === undefined) return row(name)
  const object = row(member)
  return isObject(object) ? valueAt(object, inner) : undefined
}
