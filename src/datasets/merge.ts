/**
 * Sources of one dataset merged into works: the base first, the others joined onto it by id or
 * title. Nothing is lost: rows without a partner become works of their own.
 */
import { DataImportError } from '../errors/data-import-error.js'
import { matchTitles } from './match-titles.js'
import { Problems } from './problems.js'
import type { Source, SourceRow } from './source.js'
import { assignIds, fillWork, identity, newWork, type Work } from './work.js'

export interface MergedSource {
  readonly source: Source
  /** Rows that met a work of an earlier source. */
  readonly joined: number
  /** Rows that became works of their own. */
  readonly added: number
  /** Texts that were left out because an earlier column has the very same. */
  readonly repeatedTexts: number
  /** What was decided about rows where the titles alone do not decide, with their lines. */
  readonly notes: Problems
}

export type NamedWork = Work & { readonly id: number }

export interface MergedDataset {
  readonly columns: readonly string[]
  /** In the order of their ids, all of which are set. */
  readonly works: readonly NamedWork[]
  readonly sources: readonly MergedSource[]
}

/** @throws DataImportError when the sources do not make one dataset */
export function mergeSources(sources: readonly Source[]): MergedDataset {
  const ordered = orderSources(sources)
  const columns = joinColumns(ordered)
  const works: Work[] = []
  const merged = ordered.map((source) => mergeSource(works, source, columns))
  assignIds(works)
  const named = works.filter((work): work is NamedWork => work.id !== null)
  named.sort((one, other) => one.id - other.id)
  return { columns, works: alignMetadata(named, ordered), sources: merged }
}

function mergeSource(works: Work[], source: Source, columns: readonly string[]): MergedSource {
  const notes = new Problems()
  const rows = source.mapping.fields.id === undefined ? dropRepeated(source, notes) : source.rows
  const workOf = findWorks(works, source, rows, notes)
  const firstColumn = columns.indexOf(source.columns[0] ?? '')
  let repeatedTexts = 0
  for (const row of rows) {
    let work = workOf.get(row)
    if (work === undefined) works.push((work = newWork(row, columns.length)))
    repeatedTexts += fillWork(work, row, firstColumn)
  }
  const joined = workOf.size
  return { source, joined, added: rows.length - joined, repeatedTexts, notes }
}

function findWorks(
  works: readonly Work[],
  source: Source,
  rows: readonly SourceRow[],
  notes: Problems,
): ReadonlyMap<SourceRow, Work> {
  if (source.mapping.join === 'title') {
    const { workOf, ambiguous, contradicted } = matchTitles(works, rows)
    for (const row of ambiguous) {
      notes.add(
        `of several with that title: ${workOf.has(row) ? 'joined' : 'kept apart'}`,
        row.line,
      )
    }
    for (const row of contradicted) notes.add('of another type or year: kept apart', row.line)
    return workOf
  }
  const byId = new Map(works.map((work) => [work.id, work]))
  const pairs = rows.flatMap((row) => {
    const work = byId.get(row.id)
    return work === undefined ? [] : [[row, work] as const]
  })
  return new Map(pairs)
}

/** A source without ids may list a work twice; with another text it may be another work. */
function dropRepeated(source: Source, notes: Problems): readonly SourceRow[] {
  const seen = new Set<string>()
  return source.rows.filter((row) => {
    const key = identity(row) + JSON.stringify(row.texts)
    if (seen.has(key)) notes.add('the same as an earlier row: left out', row.line)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** The base, then the others in the order in which they were named. */
function orderSources(sources: readonly Source[]): readonly Source[] {
  const [base, second] = sources.filter((source) => source.mapping.join === undefined)
  const first = sources[0]
  if (base === undefined) {
    const dataset = first?.mapping.dataset ?? ''
    const problem = `joins the dataset ${dataset}, whose base is missing`
    throw new DataImportError(
      first?.file ?? '',
      `${problem}; name the mapping without "join" in the same command`,
    )
  }
  if (second !== undefined) {
    const problem = `is a second base of the dataset ${base.mapping.dataset} beside ${base.file}`
    throw new DataImportError(second.file, `${problem}; give its mapping "join": "id" or "title"`)
  }
  const others = sources.filter((source) => source !== base)
  const byId = others.find((source) => source.mapping.join === 'id')
  if (byId !== undefined && base.mapping.fields.id === undefined) {
    throw new DataImportError(byId.file, `joins by id, but ${base.file} has no fields.id`)
  }
  return [base, ...others]
}

/** Every work with every member, null for what its sources do not say, in one order. */
function alignMetadata(works: NamedWork[], sources: readonly Source[]): NamedWork[] {
  const names = [...new Set(sources.flatMap((source) => Object.keys(source.mapping.metadata)))]
  return works.map((work) => ({
    ...work,
    metadata: Object.fromEntries(names.map((name) => [name, work.metadata[name] ?? null])),
  }))
}

/** Names that differ only by a space would share a file of the embeddings store. */
function joinColumns(sources: readonly Source[]): readonly string[] {
  const fileNames = new Map<string, string>()
  for (const source of sources) {
    for (const column of source.columns) {
      const fileName = column.replaceAll(' ', '_').toLowerCase()
      const other = fileNames.get(fileName)
      if (other !== undefined) {
        const problem = `the column ${JSON.stringify(column)} is there already`
        throw new DataImportError(source.file, `${problem} as ${JSON.stringify(other)}`)
      }
      fileNames.set(fileName, column)
    }
  }
  return [...fileNames.values()]
}
