/** The title that a query is as a whole. */
import type { Reading, TitleLookup, TitleMention } from './interpretation.js'
import type { QueryWord } from './query-words.js'

const minTitleSimilarity = 0.8
/** From here on the whole query is a title with a typo or two. */
export const nearTitle = 0.9
/** From here on it is the title in another spelling, whatever words it has. */
export const sameTitle = 0.985

export function readTitle(
  query: string,
  match: TitleLookup['match'],
): (Reading & { kind: 'title' }) | undefined {
  const [best, ...others] = match(query)
  if (best === undefined || best.similarity < minTitleSimilarity) return undefined
  const same = others.filter(({ similarity }) => similarity === best.similarity)
  const rows = [...new Set([best, ...same].map(({ row }) => row))]
  return {
    kind: 'title',
    begin: 0,
    end: query.length,
    label: best.title,
    confidence: best.similarity,
    excluded: false,
    rows,
  }
}

/** Words around a title that say what it is: `berserk manga`. */
const mediumWords = new Set(
  'the a anime manga manhwa manhua webtoon series show movie movies film films'.split(' '),
)
/** A work of that name, of whatever kind the words around it say. */
const named = 0.98

/** The title that is left of a query without the words that say of what kind it is. */
export function readNamed(
  query: string,
  words: readonly QueryWord[],
  exact: TitleLookup['exact'],
): Reading | undefined {
  const isMedium = ({ folded }: QueryWord) => mediumWords.has(folded)
  const begin = words.findIndex((word) => !isMedium(word))
  const end = words.findLastIndex((word) => !isMedium(word)) + 1
  const [first, last] = [words[begin], words[end - 1]]
  if (first === undefined || last === undefined || end - begin === words.length) return undefined
  const span = { begin: first.begin, end: last.end }
  const [best, ...others] = exact(query.slice(span.begin, span.end))
  if (best === undefined) return undefined
  const same = others.filter(({ similarity }) => similarity === best.similarity)
  const rows = [...new Set([best, ...same].map(({ row }) => row))]
  return { kind: 'title', ...span, label: best.title, confidence: named, excluded: false, rows }
}

/** A title inside a query may be chance: "the quiet girl" of a story is. */
const mentioned = 0.6

export const mentionReading = ({ begin, end, title, rows }: TitleMention): Reading => ({
  ...{ kind: 'title', begin, end, label: title, confidence: mentioned, excluded: false, rows },
})
