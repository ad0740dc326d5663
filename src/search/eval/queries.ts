/** Files of queries of several kinds, as people type them, with the works that answer each. */
import * as v from 'valibot'
import {
  type Catalogue,
  type DatasetName,
  expectedName,
  isDatasetName,
} from '../../data/catalogue/catalogue.js'
import { DescriptionsError } from '../../base/errors/index.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import { type EntryIndex, indexEntries } from './entry-index.js'
import { readLines } from './json-lines.js'

export interface KindQuery {
  readonly kind: string
  readonly dataset: DatasetName
  readonly query: string
  /** Rows that answer it, at least one. */
  readonly rows: ReadonlySet<number>
  /** Rows that have what the query excludes. */
  readonly breaks: ReadonlySet<number>
  /** Position of the column that the query was taken from, which is not searched. */
  readonly column?: number
}

export interface QueryFile {
  readonly queries: readonly KindQuery[]
  /** Lines whose answer is not in the catalogue. */
  readonly missing: readonly string[]
}

const text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000))
const ids = v.array(v.pipe(v.number(), v.integer()))
const named = v.pipe(v.string(), v.trim(), v.minLength(1))

const lineSchema = v.pipe(
  v.object({
    kind: v.optional(named, 'description'),
    query: v.optional(text),
    /** What the page's feedback and files of descriptions call it. */
    description: v.optional(text),
    dataset: v.optional(v.pipe(v.string(), v.check(isDatasetName, `expected ${expectedName}`))),
    ids: v.optional(ids, []),
    id: v.optional(v.pipe(v.number(), v.integer())),
    titles: v.optional(v.array(v.string()), []),
    title: v.optional(v.string()),
    breaks: v.optional(ids, []),
    column: v.optional(named),
  }),
  v.check(({ query, description }) => (query ?? description) !== undefined, 'expected a query'),
  v.check(
    (line) =>
      line.id !== undefined || line.title !== undefined || line.ids.length + line.titles.length > 0,
    'expected ids or titles of the works that answer',
  ),
)
type Line = v.InferOutput<typeof lineSchema>

/**
 * @param only the dataset that is searched, and the one of lines that name none
 * @throws DescriptionsError for a file that cannot be read, and for the first line that cannot
 * @throws DatasetMissingError for a dataset that the catalogue does not hold
 */
export async function readQueries(
  file: string,
  catalogue: Catalogue,
  only: DatasetName | undefined,
): Promise<QueryFile> {
  const indexes = new Map<DatasetName, EntryIndex>()
  const queries: KindQuery[] = []
  const missing: string[] = []
  for (const { number, line } of await readLines(file, lineSchema)) {
    const dataset = line.dataset ?? only
    if (dataset === undefined) {
      const problem = 'expected a dataset, such as anime, in the line or as --dataset'
      throw new DescriptionsError(file, number, problem)
    }
    if (only !== undefined && dataset !== only) continue
    const index = getOrAdd(indexes, dataset, () => indexEntries(catalogue, dataset))
    const rows = rowsOf(index, line)
    const query = line.query ?? line.description ?? ''
    if (rows.size === 0)
      missing.push(`${file}:${number}: ${dataset} has no answer of ${JSON.stringify(query)}`)
    else {
      const column = line.column === undefined ? {} : { column: columnOf(line.column, dataset) }
      const breaks = new Set(line.breaks.flatMap((id) => index.rowOfId(id) ?? []))
      queries.push({ kind: line.kind, dataset, query, rows, breaks, ...column })
    }

    function columnOf(name: string, dataset: DatasetName): number {
      const columns = catalogue.dataset(dataset)?.columns ?? []
      const column = columns.indexOf(name)
      if (column >= 0) return column
      const problem = `column: expected ${columns.join(' or ')}, received ${name}`
      throw new DescriptionsError(file, number, problem)
    }
  }
  return { queries, missing }
}

function rowsOf(index: EntryIndex, { ids, id, titles, title }: Line): ReadonlySet<number> {
  const byId = [...ids, ...(id === undefined ? [] : [id])].flatMap(
    (one) => index.rowOfId(one) ?? [],
  )
  const byTitle = index.rowsOfTitles([...titles, ...(title === undefined ? [] : [title])])
  return new Set([...byId, ...byTitle])
}
