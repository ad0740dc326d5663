/** What is known of a dataset beside its texts, gathered once: its facts, its titles, and how to read queries on it. */
import type { Catalogue, DatasetInfo, Entry } from '../catalogue/catalogue.js'
import { createDatasetFacts, type DatasetFacts } from '../facts/dataset-facts.js'
import { readFactRow } from '../facts/read-fact-row.js'
import { createSimilarWorks } from '../facts/similar-works.js'
import { createInterpreter, type Interpret } from '../query/interpret.js'
import type { Interpretation } from '../query/interpretation.js'
import { readLexicon, readTagWords, type TagWords } from '../query/lexicon.js'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.js'
import { createTitleIndex, type TitleIndex } from '../titles/title-index.js'
import type { Title } from '../titles/title.js'
import { likenessTo } from './likeness.js'
import { fitOf, type QueryFit } from './query-fit.js'
import { createTitleLookup } from './title-lookup.js'

export interface DatasetKnowledge {
  readonly facts: DatasetFacts
  readonly titles: TitleIndex
  /** The vocabulary of tags. */
  readonly tags: readonly TagWords[]
  readonly interpret: Interpret
  /** @param cosines of texts with those of named works, by the row of the work, where they are known */
  fit(interpretation: Interpretation, cosines?: ReadonlyMap<number, Float32Array>): QueryFit
  /** How alike each row is to a row, see likenessTo. */
  likenessTo(row: number, cosines: Float32Array | undefined): Float32Array
}

type KnownCatalogue = Pick<Catalogue, 'entry' | 'popularity'>

/** Gathers the knowledge of a dataset at its first use. Rejects with a CatalogueError. */
export function createKnowledge(
  catalogue: KnownCatalogue,
): (dataset: DatasetInfo) => Promise<DatasetKnowledge> {
  const gathered = new Map<string, Promise<DatasetKnowledge>>()
  return (dataset) => {
    const known = gathered.get(dataset.name) ?? gather(catalogue, dataset)
    gathered.set(dataset.name, known)
    known.catch(() => gathered.delete(dataset.name))
    return known
  }
}

/** Entries that are read between two iterations of the event loop: a few milliseconds. */
const entriesAtOnce = 256

async function gather(catalogue: KnownCatalogue, dataset: DatasetInfo): Promise<DatasetKnowledge> {
  const entries: Entry[] = []
  for (let row = 0; row < dataset.rows; row += 1) {
    if (row % entriesAtOnce === 0) await yieldToEventLoop()
    entries.push(catalogue.entry(dataset.name, row))
  }
  const popularity = catalogue.popularity(dataset.name)
  const facts = createDatasetFacts(
    entries.map((entry) => readFactRow(entry, false)),
    popularity,
  )
  await yieldToEventLoop()
  const titles = createTitleIndex(entries.flatMap(titlesOf))
  const similarWorks = createSimilarWorks(facts)
  const tags = readTagWords(new URL('../../data/works/tags.json', import.meta.url))
  return {
    ...{ facts, titles, tags },
    interpret: createInterpreter({
      lexicon: readLexicon(new URL('../../data/query/en.json', import.meta.url)),
      tags,
      names: facts.names,
      titles: createTitleLookup(titles, popularity, facts.isMain),
    }),
    fit: (interpretation, cosines) => fitOf(interpretation, { facts, similarWorks }, cosines),
    likenessTo: (row, cosines) => likenessTo(facts, similarWorks, row, cosines),
  }
}

function titlesOf({ title, metadata }: Entry, row: number): Title[] {
  const others = Array.isArray(metadata.alternativeTitles) ? metadata.alternativeTitles : []
  const texts = [
    { text: metadata.titleEnglish, kind: 'english' as const },
    { text: metadata.titleJapanese, kind: 'native' as const },
    ...others.map((text: unknown) => ({ text, kind: 'other' as const })),
  ]
  return [
    { row, text: title, kind: 'main' },
    ...texts.flatMap(({ text, kind }) => (typeof text === 'string' ? [{ row, text, kind }] : [])),
  ]
}
