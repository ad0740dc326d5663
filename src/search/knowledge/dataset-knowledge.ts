/** What is known of a dataset apart from its texts, opened once: its facts, its titles, and how to read queries on it. */
import { LRUCache } from 'lru-cache'
import type { Cosines } from '../../native/addon/rank-plan.js'
import type { RowPasses } from '../../native/addon/row-index.js'
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { OwnValues } from '../../data/catalogue/own-values.js'
import type { WorkNames } from '../../data/catalogue/work-names.js'
import { vocabularyFile } from '../../data/catalogue/tag-vocabulary.js'
import { createDatasetFacts, type DatasetFacts, type RowList } from '../facts/dataset-facts.js'
import { bitsOfWord, type CandidateOptions } from '../reader/candidates.js'
import { createContinuationOf } from '../reader/continuations.js'
import { createInterpreter, type Interpret } from '../reader/interpret.js'
import type { Interpretation } from '../reader/interpretation.js'
import { readLexicon, readSynonyms, readTagWords, type TagWords } from '../reader/lexicon.js'
import { withOwnSynonyms, withOwnWords, type OwnWords } from '../reader/own-words.js'
import { readWeights } from '../reader/weights.js'
import { yieldToEventLoop } from '../../native/scheduling/yield-to-event-loop.js'
import type { TitleIndex } from '../../data/titles/title-index.js'
import { planFit, type PlannedFit } from './query-fit.js'
import {
  originalAuthors,
  originalMagazines,
  originalTypes,
  withAuthors,
  withMagazines,
  withOriginalTypes,
} from './original-authors.js'
import { createSameWords } from '../../base/text/same-words.js'
import { createCharacterLookup } from './character-lookup.js'
import { createFindTitles } from './find-titles.js'
import { createNearTitles, wholeTitleRows } from './near-titles.js'

export interface DatasetKnowledge {
  readonly facts: DatasetFacts
  /** Metadata that the mapping declares filterable. */
  readonly own: OwnValues
  readonly titles: TitleIndex
  /** The vocabulary of tags. */
  readonly tags: readonly TagWords[]
  readonly interpret: Interpret
  /** What queries are read with, for the fit of the reader's weights. */
  readonly vocabulary: CandidateOptions
  /** Rows whose title is the whole text, in any spelling and with a typo; those that are the same first. */
  titleRows(text: string): readonly number[]
  /** @param cosines of texts with those of named works, by the row of the work, where they are known */
  planFit(interpretation: Interpretation, cosines?: ReadonlyMap<number, Cosines>): PlannedFit
  /** Passes over all rows. */
  readonly passes: RowPasses
}

type KnownCatalogue = Pick<
  Catalogue,
  'dataset' | 'facts' | 'ownValues' | 'popularity' | 'rowPasses' | 'rowsWith' | 'workNames'
>

/** What all datasets share, read at its first use. */
export type SharedWords = () => ReturnType<typeof readWords>

export function shareWords(own: OwnWords = {}): SharedWords {
  let words: ReturnType<typeof readWords> | undefined
  return () => (words ??= readWords(own))
}

/** Opens the knowledge of a dataset at its first use. Rejects with a CatalogueError. */
export function createKnowledge(
  catalogue: KnownCatalogue,
  wordsOnce: SharedWords = shareWords(),
): (dataset: DatasetInfo) => Promise<DatasetKnowledge> {
  const opened = new Map<string, { names: WorkNames; knowledge: Promise<DatasetKnowledge> }>()
  return async (dataset) => {
    const names = catalogue.workNames(dataset.name)
    const known = opened.get(dataset.name)
    if (known?.names === names) return known.knowledge
    const knowledge = open(catalogue, dataset, names, wordsOnce)
    opened.set(dataset.name, { names, knowledge })
    knowledge.catch(() => opened.delete(dataset.name))
    return knowledge
  }
}

/** A word that only one work has may be misspelt. */
const minWorksWithWord = 2
/** Words whose works are counted once; some 2 MB. */
const maxCounted = 20_000

function readWords(own: OwnWords) {
  const lexicon = withOwnWords(readLexicon(dataFile('en.json')), own)
  const synonyms = withOwnSynonyms(readSynonyms(dataFile('synonyms.json')), own)
  return {
    lexicon,
    tags: readTagWords(vocabularyFile),
    weights: readWeights(dataFile('weights.json')),
    same: createSameWords(lexicon.alike, synonyms),
  }
}

const dataFile = (name: string): URL => new URL(`../../../data/query/${name}`, import.meta.url)

/** Other requests have their turn between its parts; each is short. */
async function open(
  catalogue: KnownCatalogue,
  { name, rows }: DatasetInfo,
  { titles, characters, initials, continued }: WorkNames,
  words: SharedWords,
): Promise<DatasetKnowledge> {
  const popularity = catalogue.popularity(name)
  const stored = catalogue.facts(name)
  const own = createDatasetFacts(stored)
  await yieldToEventLoop()
  const hasOriginals = name === 'anime' && catalogue.dataset('manga') !== undefined
  const originals = hasOriginals ? catalogue.facts('manga') : undefined
  const authors = name === 'anime' ? originalAuthors(stored, originals) : new Map<string, RowList>()
  const types = originals ? originalTypes(stored, originals) : new Map<string, RowList>()
  const magazines = originals ? originalMagazines(stored, originals) : new Map<string, RowList>()
  const facts = withMagazines(withOriginalTypes(withAuthors(own, authors), types), magazines)
  await yieldToEventLoop()
  const { lexicon, tags, weights, same } = words()
  const continuationOf = createContinuationOf(lexicon.continuations)
  const services = { facts, authors, continued, continuationOf }
  const rowsWith = (word: string) => catalogue.rowsWith(name, word)
  const counts = new LRUCache<string, number>({ max: maxCounted })
  const worksWith = (word: string) => {
    const count = counts.get(word) ?? rowsWith(word).length
    counts.set(word, count)
    return count
  }
  const near = createNearTitles(titles, popularity, facts, (word) => worksWith(word) > 0)
  const findTitles = createFindTitles({
    index: titles,
    popularity,
    facts,
    match: near.match,
    reworded: (text) => titles.reworded(text, same),
    characters: createCharacterLookup(characters, facts, popularity, rowsWith),
    initials,
  })
  const vocabulary: CandidateOptions = {
    lexicon,
    tags,
    names: facts.names,
    findTitles,
    isWord: (word) => worksWith(word) >= minWorksWithWord,
    bitsOf: (word) => bitsOfWord(worksWith(word), rows),
  }
  return {
    facts,
    own: catalogue.ownValues(name),
    titles,
    tags,
    vocabulary,
    titleRows: (text) => wholeTitleRows(text, near),
    interpret: createInterpreter({ ...vocabulary, weights }),
    planFit: (interpretation, cosines) => planFit(interpretation, services, cosines),
    passes: catalogue.rowPasses(name),
  }
}
