/** Files of descriptions: JSON lines of a sentence and the entry that somebody meant by it. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as v from 'valibot'
import { type Catalogue, type DatasetName, datasetNames } from '../catalogue/catalogue.js'
import { codeOf } from '../datasets/cause.js'
import { titleKey } from '../datasets/titles.js'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { DescriptionsError } from '../errors/descriptions-error.js'
import { getOrAdd } from '../util/get-or-add.js'
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
    dataset: v.optional(v.picklist(datasetNames)),
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
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new DescriptionsError(file, undefined, `cannot be read (${codeOf(cause)})`, { cause })
  })
  const entries = new Map<DatasetName, EntryIndex>()
  const splits = new Map<string, { items: KnownItem[]; missing: number }>()
  const missing: string[] = []
  for (const [index, source] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (source.trim() === '') continue
    const line = parseLine(file, index + 1, source)
    const dataset = line.dataset ?? only
    if (dataset === undefined) {
      const problem = 'expected a dataset, anime or manga, in the line or as --dataset'
      throw new DescriptionsError(file, index + 1, problem)
    }
    if (only !== undefined && dataset !== only) continue
    const split = getOrAdd(splits, line.split ?? '', () => ({ items: [], missing: 0 }))
    const rows = getOrAdd(entries, dataset, () => indexEntries(catalogue, dataset)).find(line)
    if (rows.length > 0) split.items.push({ dataset, query: line.description, rows })
    else {
      split.missing += 1
      missing.push(`${file}:${index + 1}: ${dataset} has no entry ${nameOf(line)}`)
    }
  }
  const sets = [...splits].map(([split, { items, missing }]) => ({
    name: split === '' ? basename(file) : `${basename(file)}, ${split}`,
    items,
    leftOut: missing > 0 ? [{ reason: 'ask for no entry of the catalogue', count: missing }] : [],
  }))
  return { sets, missing }
}

function parseLine(file: string, number: number, source: string): Line {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DescriptionsError(file, number, `expected a JSON object: ${reason}`, { cause })
  }
  const result = v.safeParse(lineSchema, value)
  if (result.success) return result.output
  const problems = result.issues.map((issue) => {
    const path = v.getDotPath(issue)
    return path === null ? issue.message : `${path}: ${issue.message}`
  })
  throw new DescriptionsError(file, number, problems.join('; '))
}

const nameOf = ({ id, title, titles }: Line) =>
  id === undefined ? `called ${title ?? titles.join(' or ')}` : `with the id ${id}`

interface EntryIndex {
  /** Rows that a line asks for; none where the catalogue does not have them. */
  find(line: Line): readonly number[]
}

/** Titles meet as they do in the import: without case, width and punctuation. */
function indexEntries(catalogue: Catalogue, dataset: DatasetName): EntryIndex {
  const info = catalogue.dataset(dataset)
  if (info === undefined) throw new DatasetMissingError(dataset)
  const byId = new Map<number, number>()
  const byTitle = new Map<string, number[]>()
  for (let row = 0; row < info.rows; row += 1) {
    const { id, title, facts } = catalogue.entry(dataset, row)
    byId.set(id, row)
    const titles = [title, ...(facts.otherTitles ?? [])]
    for (const key of new Set(titles.map(titleKey))) getOrAdd(byTitle, key, () => []).push(row)
  }
  return {
    find({ id, title, titles }) {
      if (id !== undefined) return [byId.get(id)].filter((row) => row !== undefined)
      const keys = [...(title === undefined ? [] : [title]), ...titles].map(titleKey)
      return [...new Set(keys.flatMap((key) => byTitle.get(key) ?? []))]
    },
  }
}
