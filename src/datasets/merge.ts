/**
 * Sources of one dataset merged into works: the base first, the others joined onto it by id or, where
 * a source or a row has none, by title. Nothing is lost: rows without a partner become works of their
 * own.
 */
import { DataImportError } from '../errors/data-import-error.js'
import { matchTitles } from './match-titles.js'
import type { Mapping } from './mapping.js'
import { Problems } from './problems.js'
import type { Source, SourceRow } from './source.js'
import { assignIds, fillWork, identity, newWork, type Work } from './work.js'

export interface MergedSource {
  /** Without its rows, which are works by now. */
  readonly source: Omit<Source, 'rows'>
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

/** A file and how it is read. */
export interface Input {
  readonly file: string
  readonly mapping: Mapping
}

/**
 * Reads the sources of one dataset one after the other, so that the rows of one at a time are in
 * memory beside the works.
 * @throws DataImportError when the sources do not make one dataset, or one cannot be read
 */
export async function mergeSources<T extends Input>(
  inputs: readonly T[],
  read: (input: T) => Promise<Source>,
): Promise<MergedDataset> {
  const ordered = orderInputs(inputs)
  const columns = joinColumns(ordered)
  const works: Work[] = []
  const sources: MergedSource[] = []
  for (const input of ordered) sources.push(mergeSource(works, await read(input), columns))
  assignIds(works)
  const named = works.filter((work): work is NamedWork => work.id !== null)
  named.sort((one, other) => one.id - other.id)
  alignMetadata(named, ordered)
  return { columns, works: named, sources }
}

function mergeSource(works: Work[], source: Source, columns: readonly string[]): MergedSource {
  const { rows: allRows, ...rest } = source
  const notes = new Problems()
  const rows = dropRepeated(allRows, notes)
  const workOf = findWorks(works, source, rows, notes)
  const firstColumn = columns.indexOf(Object.keys(source.mapping.texts)[0] ?? '')
  let repeatedTexts = 0
  for (const row of rows) {
    let work = workOf.get(row)
    if (work === undefined) works.push((work = newWork(row, columns.length)))
    repeatedTexts += fillWork(work, row, firstColumn)
  }
  const joined = workOf.size
  return { source: rest, joined, added: rows.length - joined, repeatedTexts, notes }
}

function findWorks(
  works: readonly Work[],
  source: Source,
  rows: readonly SourceRow[],
  notes: Problems,
): ReadonlyMap<SourceRow, Work> {
  const workOf = source.mapping.join === 'id' ? matchIds(works, rows) : new Map<SourceRow, Work>()
  const numberless = rows.filter(({ id }) => id === null)
  if (source.mapping.join === undefined || numberless.length === 0) return workOf
  const taken = new Set(workOf.values())
  const free = works.filter((work) => !taken.has(work))
  const { workOf: byTitle, ambiguous, contradicted } = matchTitles(free, numberless)
  for (const row of ambiguous) {
    const outcome = byTitle.has(row) ? 'joined' : 'kept apart'
    notes.add(`of several with that title: ${outcome}`, row.line)
  }
  for (const row of contradicted) notes.add('of another type or year: kept apart', row.line)
  return new Map([...workOf, ...byTitle])
}

function matchIds(works: readonly Work[], rows: readonly SourceRow[]): Map<SourceRow, Work> {
  const byId = new Map(works.map((work) => [work.id, work]))
  const workOf = new Map<SourceRow, Work>()
  for (const row of rows) {
    const work = row.id === null ? undefined : byId.get(row.id)
    if (work !== undefined) workOf.set(row, work)
  }
  return workOf
}

/** Rows without ids may list a work twice; with another text it may be another work. */
function dropRepeated(rows: readonly SourceRow[], notes: Problems): readonly SourceRow[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    if (row.id !== null) return true
    const key = identity(row) + JSON.stringify(row.texts)
    if (seen.has(key)) notes.add('the same as an earlier row: left out', row.line)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** The base, then the others in the order in which they were named. */
function orderInputs<T extends Input>(inputs: readonly T[]): readonly T[] {
  const [base, second] = inputs.filter(({ mapping }) => mapping.join === undefined)
  const first = inputs[0]
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
  const others = inputs.filter((input) => input !== base)
  const byId = others.find(({ mapping }) => mapping.join === 'id')
  if (byId !== undefined && base.mapping.fields.id === undefined) {
    throw new DataImportError(byId.file, `joins by id, but ${base.file} has no fields.id`)
  }
  return [base, ...others]
}

/** Every work with every member, null for what its sources do not say, in one order. */
function alignMetadata(works: readonly NamedWork[], inputs: readonly Input[]): void {
  const names = [...new Set(inputs.flatMap(({ mapping }) => Object.keys(mapping.metadata)))]
  for (const work of works) {
    const { metadata } = work
    work.metadata = Object.fromEntries(names.map((name) => [name, metadata[name] ?? null]))
  }
}

/** Names that differ only by a space would share a file of the embeddings store. */
function joinColumns(inputs: readonly Input[]): readonly string[] {
  const fileNames = new Map<string, string>()
  for (const { file, mapping } of inputs) {
    for (const column of Object.keys(mapping.texts)) {
      const fileName = column.replaceAll(' ', '_').toLowerCase()
      const other = fileNames.get(fileName)
      if (other !== undefined) {
        const problem = `the column ${JSON.stringify(column)} is there already`
        throw new DataImportError(file, `${problem} as ${JSON.stringify(other)}`)
      }
      fileNames.set(fileName, column)
    }
  }
  return [...fileNames.values()]
}
