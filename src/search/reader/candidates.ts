/** All that the words of a query may mean, overlapping: facts, works, and the words that say what these are to a person. */
import { constants } from '../../base/constants/constants.js'
import { type Lexicon, type TagWords, type WordClass, wordClasses } from './lexicon.js'
import { createPatterns } from './patterns.js'
import type { Sense } from './sense.js'
import { type DatasetNames, sensesOf } from './senses.js'
import { createSpelling } from './spelling.js'
import { createTrie } from './trie.js'
import type { FindTitles, WorkSpan } from './work-span.js'
import { positivesOf } from '../../base/text/stem.js'
import { type Word, stemsOfPhrase, wordsOf } from '../../base/text/words.js'

interface Place {
  /** Positions of words: [from, to). */
  readonly from: number
  readonly to: number
}

export type Candidate = Place &
  (
    | {
        readonly group: 'fact'
        readonly sense: Sense
        /** Of a name that is a single word: how rare that word is in the texts of works, in bits. */
        readonly bits?: number | undefined
      }
    | { readonly group: 'work'; readonly work: WorkSpan }
  )

/** Words of a class. */
export type Cue = Place & { readonly name: WordClass }

export interface Candidates {
  readonly query: string
  readonly words: readonly Word[]
  readonly isUnknown: readonly boolean[]
  readonly cues: readonly Cue[]
  readonly candidates: readonly Candidate[]
}

export interface CandidateOptions {
  readonly lexicon: Lexicon
  readonly tags: readonly TagWords[]
  readonly names: DatasetNames
  readonly findTitles: FindTitles
  /** Whether titles or texts of works have a word. */
  readonly isWord: (word: string) => boolean
  /** How rare a word is in titles and texts. */
  readonly bitsOf: (word: string) => number
}

/** A catalogue of few works does not show how common a word is, so this many works are added that lack it. */
const otherWorks = 4096

/** How rare a word is, in bits: the binary logarithm of all works divided by those that have it. */
export const bitsOfWord = (works: number, rows: number): number =>
  Math.log2((rows + otherWorks) / (works + 1))

/** Longer queries are cut there; /search accepts no more. */
const maxWords = 600

export function createCandidates({
  lexicon,
  tags,
  names,
  findTitles,
  isWord,
  bitsOf,
}: CandidateOptions): (query: string) => Candidates {
  const { refusedWords } = constants().reader
  const trie = createTrie<Sense | WordClass>()
  const senses = sensesOf(lexicon, tags, names)
  for (const [phrase, sense] of senses) trie.add(phrase, sense)
  for (const name of wordClasses) for (const phrase of lexicon.classes[name]) trie.add(phrase, name)
  const vocabulary = new Set([
    ...tags.flatMap(({ name, meaning = '', synonyms }) =>
      stemsOfPhrase([name, meaning, ...synonyms].join(' ')),
    ),
    ...lexicon.spelt.flatMap(stemsOfPhrase),
  ])
  const isKnown = ({ stem, folded }: Word) =>
    trie.hasStem(stem) || vocabulary.has(stem) || vocabulary.has(folded)
  const listed = senses.flatMap(([phrase, { list }]) =>
    isPlain(list) ? stemsOfPhrase(phrase) : [],
  )
  const correct = createSpelling(new Set(listed))
  const patternsAt = createPatterns(lexicon.patterns)

  return (query) => {
    const words = wordsOf(query, maxWords)
    const isUnknown = words.map((word) => !isKnown(word) && !isWord(word.folded))
    const stems = words.map(
      (word, at) => (isUnknown[at] === true ? correct(word) : undefined) ?? word.stem,
    )
    const cues: Cue[] = []
    const candidates: Candidate[] = []
    for (let from = 0; from < words.length; from += 1) {
      const longest = new Map<WordClass, number>()
      const take = (length: number, values: readonly (Sense | WordClass)[]) => {
        for (const value of values) {
          if (typeof value === 'string') longest.set(value, from + length)
          else if (isSpeltSo(value, words[from])) {
            const isOneName = length === 1 && nameLists.has(value.list)
            const bits = isOneName ? bitsOf(words[from]?.folded ?? '') : undefined
            candidates.push({ group: 'fact', sense: value, bits, from, to: from + length })
          }
        }
      }
      trie.each(stems, from, take)
      for (const [name, to] of longest) cues.push({ name, from, to })
      if (candidates.at(-1)?.from !== from) addPositives(from)
      for (const { to, sense } of patternsAt(query, words, from))
        candidates.push({ group: 'fact', sense, from, to })
    }
    const behind = new Set(cues.flatMap(({ name, to }) => (refusals.has(name) ? [to] : [])))
    for (const at of behind) addWords(at)
    for (const work of findTitles(query, words, isUnknown))
      candidates.push({ group: 'work', work, from: work.from, to: work.to })
    return { query, words, isUnknown, cues, candidates }

    /** What is refused, whatever it is: the words behind a refusal to the end of the clause, or to `and` and `or`. */
    function addWords(behind: number) {
      let from = behind
      while (from < words.length && smallWords.has(words[from]?.folded ?? '')) {
        if (words[from]?.endsClause) return
        from += 1
      }
      let to = from
      const ends = new Set<number>()
      while (to < words.length && to - from < maxRefusedWords) {
        if (joins.has(words[to]?.folded ?? '')) ends.add(to)
        to += 1
        if (words[to - 1]?.endsClause) break
      }
      if (to === words.length || words[to - 1]?.endsClause) ends.add(to)
      for (const end of ends) {
        if (end <= from || smallWords.has(words[end - 1]?.folded ?? '')) continue
        const said = query.slice(words[from]?.begin, words[end - 1]?.end)
        const fact = { kind: 'words' as const, words: said }
        const sense = { list: 'words' as const, fact, label: said, confidence: refusedWords }
        candidates.push({ group: 'fact', sense, from, to: end })
      }
    }

    /** `darker` is read as `dark`; a witcher is not more of a witch. */
    function addPositives(from: number) {
      for (const stem of positivesOf(words[from]?.folded ?? '')) {
        const count = candidates.length
        trie.each([stem], 0, (_, values) => {
          for (const value of values) {
            if (typeof value === 'string' || value.list === 'subject' || !isPlain(value.list))
              continue
            candidates.push({ group: 'fact', sense: value, from, to: from + 1 })
          }
        })
        if (candidates.length > count) return
      }
    }
  }
}

/** Classes of words behind which something is refused. */
const refusals = new Set<WordClass>(['not', 'less', 'disliked'])
const maxRefusedWords = 6
const smallWords = new Set(
  'a an the any some of with too much so very really that this be being having have has are is as in it its all kind'.split(
    ' ',
  ),
)
const joins = new Set(['and', 'or', 'but', 'nor', 'if', 'because', 'since', 'when'])

const isSpeltSo = ({ spelt }: Sense, word: Word | undefined): boolean =>
  spelt === undefined || spelt === word?.folded

const nameLists = new Set(['studio', 'studioWord', 'person', 'family', 'magazine', 'magazineWord'])
/** Whether a phrase is words rather than a name, which has no plural and no typo. */
const isPlain = (list: string): boolean => !nameLists.has(list)
