/**
 * What the index of the rows of a dataset holds, from its entries. Of many rows a thread of its own indexes all but the
 * words of texts, while this one writes the rows and indexes those: an import of 60,000 works takes two thirds of the time.
 */
import { createPostingsBuilder, type Document, type OtherRows } from '../lexical/postings.js'
import type { RowIndexContents } from '../rows/build-row-index.js'
import type { Stemmer } from '../../base/text/stemmer.js'
import type { CatalogueRow } from './catalogue-row.js'
import { createProseSample, createWorksIndexBuilder } from './works-index.js'
import { startWorksThread, type WorksThread } from './works-thread.js'
import type { PackedEntry } from './packed-entry.js'

export type BuiltRowIndex = Pick<RowIndexContents, 'postings' | 'sections'>

export interface RowIndexBuilder {
  /** Adds the next row. Keeps numbers of its words, its titles, its facts, and a sample of texts. */
  add(entry: CatalogueRow, packed?: PackedEntry): void
  /** All rows are added: a thread builds its part from then on. */
  finish(): void
  /** The last call but `close`. */
  build(stemmer: Stemmer): BuiltRowIndex
  /** Ends the thread. */
  close(): void
}

/** Fewer rows are indexed before a thread has started. */
const rowsForThread = 4000

/**
 * @param others rows that are searched together with these
 * @param expectedRows how many there are, if that is known
 */
export function createRowIndexBuilder(others?: OtherRows, expectedRows = 0): RowIndexBuilder {
  const postings = createPostingsBuilder(others)
  const sampled = createProseSample()
  const works = expectedRows < rowsForThread ? worksHere() : startWorksThread()
  return {
    add(entry, packed) {
      postings.add(toDocument(entry))
      works.add(entry, packed, sampled(entry.texts))
    },
    finish: () => works.finish(),
    build: (stemmer) => ({ postings: postings.build(stemmer), sections: () => works.sections() }),
    close: () => works.close(),
  }
}

/** The same without a thread. */
function worksHere(): WorksThread {
  const builder = createWorksIndexBuilder()
  return {
    add: (entry, _, prose) => builder.add(entry, prose),
    finish: () => undefined,
    sections: () => builder.sections(),
    close: () => undefined,
  }
}

/** What full-text search knows of an entry. */
function toDocument({ title, facts, texts }: CatalogueRow): Document {
  return {
    titles: [title, ...(facts?.otherTitles ?? [])],
    texts: texts.filter((text) => text !== null),
  }
}
