/** What the index of the rows of a dataset holds, from its entries. */
import { createPostingsBuilder, type Document, type OtherRows } from '../lexical/postings.js'
import type { RowIndexContents, RowIndexSection } from '../rows/build-row-index.js'
import type { Stemmer } from '../../base/text/stemmer.js'
import { createTitleIndex, type TitleIndex } from '../titles/title-index.js'
import type { Title } from '../titles/title.js'
import type { CatalogueRow } from './catalogue-row.js'
import { characterKeys, charactersOf } from './character-names.js'
import { continuedRows } from './continued-rows.js'
import type { FactLists } from './fact-lists.js'
import { placeInFranchises } from './franchises.js'
import { initialsOf } from './initials.js'
import { factSections, inOrder } from './row-facts.js'
import { titlesOf } from './titles-of.js'

export type BuiltRowIndex = Pick<RowIndexContents, 'postings' | 'sections'>

export interface RowIndexBuilder {
  /** Adds the next row. Keeps numbers of its words, its titles, and a sample of texts. */
  add(entry: CatalogueRow): void
  /**
   * The last call.
   * @param facts of all rows
   */
  build(stemmer: Stemmer, facts: FactLists): BuiltRowIndex
}

/** So many texts show how common the words of titles are in prose; of long texts fewer do. */
const proseSample = 10_000
const proseCharacters = 5_000_000

/** @param others rows that are searched together with these */
export function createRowIndexBuilder(others?: OtherRows): RowIndexBuilder {
  const postings = createPostingsBuilder(others)
  const popularity: number[] = []
  const titles: Title[] = []
  const prose: string[] = []
  let proseLength = 0
  return {
    add(entry) {
      const row = popularity.push(entry.popularity ?? NaN) - 1
      postings.add(toDocument(entry))
      titles.push(...titlesOf(entry, row))
      const text = entry.texts.find((one) => one !== null) ?? ''
      if (text === '' || prose.length === proseSample) return
      if (proseLength + text.length > proseCharacters) return
      prose.push(text)
      proseLength += text.length
    },
    build: (stemmer, facts) => ({
      postings: postings.build(stemmer),
      sections: () =>
        sectionsOf(
          createTitleIndex(titles, { texts: prose }),
          facts,
          Float32Array.from(popularity),
        ),
    }),
  }
}

/** What full-text search knows of an entry. */
function toDocument({ title, facts, texts }: CatalogueRow): Document {
  return {
    titles: [title, ...(facts?.otherTitles ?? [])],
    texts: texts.filter((text) => text !== null),
  }
}

/** What names works in an index, which openWorkNames reads, and their facts, which openRowFacts reads. */
export function* sectionsOf(
  titles: TitleIndex,
  facts: FactLists,
  popularity: Float32Array,
): Generator<RowIndexSection> {
  const lists = inOrder(facts.lists)
  yield { name: 'titles', bytes: titles.toBytes() }
  const series = placeInFranchises(popularity, lists)
  const { buffer } = continuedRows(series, titles)
  yield { name: 'continued', bytes: new Uint8Array(buffer) }
  yield { name: 'initial', lists: initialsOf(titles, popularity, series) }
  const characters = charactersOf(lists)
  yield { name: 'character', lists: characters }
  yield { name: 'character-key', lists: characterKeys([...characters.keys()]) }
  yield* factSections({ ...facts, lists }, series, popularity)
}
