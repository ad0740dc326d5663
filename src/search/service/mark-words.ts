/** The words of results' texts that match the query, by which the line of a text that matches best is chosen, too. */
import type { Span } from '../reader/interpretation.js'
import type { MatchedWords } from '../ranking/matched-words.js'
import type { MatchedText, ResultTexts } from './shown-texts.js'

export interface MarkedTexts {
  /** Of the synopsis; none unless a result says why it matches. */
  readonly words: readonly Span[]
  readonly matched?: MatchedText | undefined
}

export interface MarkOptions {
  /** Whether results say which words match. */
  readonly explain?: boolean | undefined
  /** Whether results show texts that give an ending away. */
  readonly spoilers?: boolean | undefined
}

/** In the order of the results, whose texts are compared with the query all at once. */
export async function markWords(
  query: string,
  results: readonly ResultTexts[],
  { explain = false, spoilers = false }: MarkOptions,
  matchedWords: MatchedWords,
  signal: AbortSignal | undefined,
): Promise<readonly MarkedTexts[]> {
  const linesOf = ({ matched }: ResultTexts) =>
    matched === undefined || (matched.spoiler && !spoilers) ? [] : matched.text.split('\n')
  const lines = results.map(linesOf)
  const needsWords = explain || lines.some(({ length }) => length > 1)
  const texts = results.map(({ synopsis }, i) => [
    ...(explain ? [synopsis] : []),
    ...(lines[i] ?? []),
  ])
  const found = needsWords ? await matchedWords(query, texts.flat(), signal) : []
  let next = 0
  return results.map(({ matched }, i): MarkedTexts => {
    const words = explain ? (found[next++] ?? []) : []
    const own = lines[i] ?? []
    const wordsOfLines = found.slice(next, (next += own.length))
    if (matched === undefined) return { words }
    const { column, spoiler } = matched
    const best = mostWords(own, wordsOfLines)
    const text = own[best] ?? null
    const marked = explain && text !== null && { words: wordsOfLines[best] ?? [] }
    return { words, matched: { column, text, spoiler, ...marked } }
  })
}

/** The line with the most different words that match; of equal ones the first. */
function mostWords(lines: readonly string[], words: readonly (readonly Span[])[]): number {
  const counts = lines.map((line, i) => {
    const marked = (words[i] ?? []).map(({ begin, end }) => line.slice(begin, end).toLowerCase())
    return new Set(marked).size
  })
  return Math.max(0, counts.indexOf(Math.max(...counts)))
}
