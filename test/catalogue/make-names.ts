/** Works that a test makes up, in an index of rows in memory. */
import { createCharacters } from '#synoptic/data/catalogue/character-names.js'
import { createFactListsBuilder, type FactSource } from '#synoptic/data/catalogue/fact-lists.js'
import { sectionsOf } from '#synoptic/data/catalogue/works-index.js'
import { openWorkNames, type WorkNames } from '#synoptic/data/catalogue/work-names.js'
import { openRowIndex, type RowIndex } from '#synoptic/native/addon/row-index.js'
import { rowIndexBytes } from '#synoptic/data/rows/build-row-index.js'
import { createTitleIndex, type TitleIndex } from '#synoptic/data/titles/title-index.js'

const version = '0'.repeat(64)

/** A stem's rows, ascending and below 65,536, with an impact each. */
interface Posting {
  readonly stem: string
  readonly rows: Uint32Array
  readonly impacts: Uint16Array
}

interface Options {
  readonly titles?: TitleIndex
  readonly popularity?: Float32Array
  /** In order of the stems. */
  readonly postings?: readonly Posting[]
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
  const characters = createCharacters()
  for (const [row, work] of works.entries()) {
    facts.add(work)
    characters.add(work.facts?.characters ?? [], row)
  }
  const sections = () => sectionsOf({ titles, facts: facts.build(), characters }, popularity)
  const stems = postings.map(({ stem }) => stem)
  // Without rows there is no stripe of them.
  const parts = works.length === 0 ? [] : postings.map(partOf(0))
  const contents = { postings: { stems, parts }, sections }
  return openRowIndex(rowIndexBytes({ rows: works.length, version, ...contents }), version)
}

function partOf(begin: number) {
  let end = begin
  return ({ rows, impacts }: Posting) => ({
    postings: Uint16Array.of(...rows, ...impacts),
    ends: Uint32Array.of((end += rows.length)),
  })
}

export const namesOf = (works: readonly FactSource[], options?: Options): WorkNames =>
  openWorkNames(indexOf(works, options))
