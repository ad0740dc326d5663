/** Files of descriptions: JSON lines of a sentence and the entry that it describes. */
import { basename } from 'node:path'
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
import type { ItemSet, KnownItem } from './known-items.js'

export interface DescriptionFile {
  /** One for each split that the file names, in the order in which they appear. */
  readonly sets: readonly ItemSet[]
  /** Lines that ask for an entry that the catalogue does not have. */
  readonly missing: readonly string[]
}

const lineSchema = v.pipe(
  v.object({
    description: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000)),
    dataset: v.optional(v.pipe(v.string(), v.check(isDatasetName, `expected ${expectedName}`))),
    id: v.optional(v.pipe(v.number(), v.integer())),
    title: v.optional(v.string()),
    /** Other spellings of it. */
    titles: v.optional(v.array(v.string()), []),
    /** Lines of one split are one set. */
    split: v.optional(v.pipe(v.string(), v.minLength(1))),
  }),
  v.check(
    ({ id, title, titles }) => id !== undefined || title !== undefined || titles.length > 0,
    'expected an id or a title',
  ),
)
type Line = v.InferOutput<typeof lineSchema>

/**
 * @param only the dataset that is searched, and the one of lines that name none
 * @throws DescriptionsError for a file that cannot be read, and for the first line that cannot
 * @throws DatasetMissingError for a dataset that the catalogue does not hold
 */
export async function readDescriptions(
  file: string,
  catalogue: Catalogue,
  only: DatasetName | undefined,
): Promise<DescriptionFile> {
  const entries = new Map<DatasetName, EntryIndex>()
  const splits = new Map<string, { items: KnownItem[]; missing: number }>()
  const missing: string[] = []
  for (const { number, line } of await readLines(file, lineSchema)) {
    const dataset = line.dataset ?? only
    if (dataset === undefined) {
      const problem = 'expected a dataset, such as anime, in the line or as --dataset'
      throw new DescriptionsError(file, number, problem)
    }
    if (only !== undefined && dataset !== only) continue
    const split = getOrAdd(splits, line.split ?? '', () => ({ items: [], missing: 0 }))
    const rows = rowsOf(
      getOrAdd(entries, dataset, () => indexEntries(catalogue, dataset)),
      line,
    )
    if (rows.length > 0) split.items.push({ dataset, query: line.description, rows })
    else {
      split.missing += 1
      missing.push(`${file}:${number}: ${dataset} has no entry ${nameOf(line)}`)
    }
  }
  const sets = [...splits].map(([split, { items, missing }]) => ({
    name: split === '' ? basename(file) : `${basename(file)}, ${split}`,
    items,
    leftOut: missing > 0 ? [{ reason: 'ask for no entry of the catalogue', count: missing }] : [],
  }))
  return { sets, missing }
}

/** The right rows of a line; none where the catalogue does not have them. */
function rowsOf(index: EntryIndex, { id, title, titles }: Line): readonly number[] {
  if (id !== undefined) return [index.rowOfId(id)].filter((row) => row !== undefined)
  return index.rowsOfTitles([...(title === undefined ? [] : [title]), ...titles])
}

const nameOf = ({ id, title, titles }: Line) =>
  id === undefined ? `called ${title ?? titles.join(' or ')}` : `with the id ${id}`
