/** The part of an index of rows that names works and holds their facts: all but the words of texts. */
import type { RowIndexSection } from '../rows/build-row-index.js'
import { createTitleReader } from '../titles/read-titles.js'
import { indexTitles, type TitleIndex } from '../titles/title-index.js'
import type { CatalogueRow } from './catalogue-row.js'
import { type Characters, createCharacters } from './character-names.js'
import { createNamedNumbers } from '../../native/addon/named-numbers.js'
import { continuedRows } from './continued-rows.js'
import { createFactListsBuilder, type FactLists } from './fact-lists.js'
import { placeInFranchises } from './franchises.js'
import { initialsOf } from './initials.js'
import { factSections, inOrder } from './row-facts.js'
import { titlesOf } from './titles-of.js'

type NamedRow = Omit<CatalogueRow, 'texts'>

export interface WorksIndexBuilder {
  /**
   * Adds the next row. Keeps its folded titles, its facts, and the prose.
   * @param prose a text of the row, where it is one of the sample
   */
  add(row: NamedRow, prose: string | undefined): void
  /** Of all rows, which are added by then. The last call. */
  sections(): Generator<RowIndexSection>
}

export function createWorksIndexBuilder(): WorksIndexBuilder {
  const popularity: number[] = []
  const titles = createTitleReader()
  let prose: string[] = []
  const facts = createFactListsBuilder()
  const characters = createCharacters()
  return {
    add(row, text) {
      const number = popularity.push(row.popularity ?? NaN) - 1
      for (const title of titlesOf(row, number)) titles.add(title)
      if (text !== undefined) prose.push(text)
      facts.add(row)
      characters.add(row.facts?.characters ?? [], number)
    },
    sections() {
      const index = indexTitles(titles, { texts: prose })
      prose = []
      const named = { titles: index, facts: facts.build(), characters }
      return sectionsOf(named, Float32Array.from(popularity))
    },
  }
}

/** So many texts show how common the words of titles are in prose; of long texts fewer do. */
const proseSample = 10_000
const proseCharacters = 5_000_000

/** Returns a function that returns the text of a row that is in the sample of prose. */
export function createProseSample(): (texts: CatalogueRow['texts']) => string | undefined {
  let count = 0
  let length = 0
  return (texts) => {
    if (count === proseSample) return undefined
    const text = texts.find((one) => one !== null) ?? ''
    if (text === '' || length + text.length > proseCharacters) return undefined
    count += 1
    length += text.length
    return text
  }
}

export interface NamedWorks {
  readonly titles: TitleIndex
  readonly facts: FactLists
  readonly characters: Characters
}

/** What names works in an index, which openWorkNames reads, and their facts, which openRowFacts reads. */
export function* sectionsOf(
  { titles, facts, characters }: NamedWorks,
  popularity: Float32Array,
): Generator<RowIndexSection> {
  const lists = inOrder(facts.lists)
  const series = placeInFranchises(popularity, lists)
  const { buffer } = continuedRows(series, titles)
  const initials = createNamedNumbers('initial')
  for (const [letters, row] of initialsOf(titles, popularity, series)) initials.add(letters, row)
  // From here on nobody reads them: a thread gives them away.
  yield { name: 'titles', pieces: titles.toPieces() }
  yield { name: 'continued', bytes: new Uint8Array(buffer) }
  yield* initials.build().sections
  yield* characters.sections()
  yield* factSections({ ...facts, lists }, series, popularity)
}
