/** The part of an index of rows that names works and holds their facts: all but the words of texts. */
import type { RowIndexSection } from '../rows/build-row-index.js'
import { createTitleReader } from '../titles/read-titles.js'
import { indexTitles, type TitleIndex } from '../titles/title-index.js'
import type { CatalogueRow } from './catalogue-row.js'
import { characterKeys, charactersOf } from './character-names.js'
import { continuedRows } from './continued-rows.js'
import { createFactListsBuilder, type FactLists, type FactListsBuilder } from './fact-lists.js'
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
  let facts: FactListsBuilder | undefined = createFactListsBuilder()
  return {
    add(row, text) {
      const number = popularity.push(row.popularity ?? NaN) - 1
      for (const title of titlesOf(row, number)) titles.add(title)
      if (text !== undefined) prose.push(text)
      facts?.add(row)
    },
    sections() {
      const lists = (facts ?? createFactListsBuilder()).build()
      facts = undefined
      const index = indexTitles(titles, { texts: prose })
      prose = []
      return sectionsOf(index, lists, Float32Array.from(popularity))
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

/** What names works in an index, which openWorkNames reads, and their facts, which openRowFacts reads. */
export function* sectionsOf(
  titles: TitleIndex,
  facts: FactLists,
  popularity: Float32Array,
): Generator<RowIndexSection> {
  const lists = inOrder(facts.lists)
  const series = placeInFranchises(popularity, lists)
  const { buffer } = continuedRows(series, titles)
  const initials = initialsOf(titles, popularity, series)
  // From here on nobody reads them: a thread gives them away.
  yield { name: 'titles', pieces: titles.toPieces() }
  yield { name: 'continued', bytes: new Uint8Array(buffer) }
  yield { name: 'initial', lists: initials }
  const characters = charactersOf(lists)
  yield { name: 'character', lists: characters }
  yield { name: 'character-key', lists: characterKeys([...characters.keys()]) }
  yield* factSections({ ...facts, lists }, series, popularity)
}
