/** Works that a test makes up, in an index of rows in memory. */
import { createFactListsBuilder, type FactSource } from '#synoptic/data/catalogue/fact-lists.js'
import { sectionsOf } from '#synoptic/data/catalogue/works-index.js'
import { openWorkNames, type WorkNames } from '#synoptic/data/catalogue/work-names.js'
import { openRowIndex, type RowIndex } from '#synoptic/native/addon/row-index.js'
import { rowIndexBytes } from '#synoptic/data/rows/build-row-index.js'
import type { Postings } from '#synoptic/data/lexical/postings.js'
import { createTitleIndex, type TitleIndex } from '#synoptic/data/titles/title-index.js'

const version = '0'.repeat(64)

interface Options {
  readonly titles?: TitleIndex
  readonly popularity?: Float32Array
  /** In order of the stems. */
  readonly postings?: readonly Postings[]
}

export function indexOf(
  works: readonly FactSource[],
  {
    titles = createTitleIndex([]),
    popularity = new Float32Array(works.length).fill(NaN),
    postings = [],
  }: Options = {},
): RowIndex {
  const facts = createFactListsBuilder()
  for (const work of works) facts.add(work)
  const sections = () => sectionsOf(titles, facts.build(), popularity)
  const bytes = rowIndexBytes({ rows: works.length, version, postings, sections })
  return openRowIndex(bytes, version)
}

export const namesOf = (works: readonly FactSource[], options?: Options): WorkNames =>
  openWorkNames(indexOf(works, options))
