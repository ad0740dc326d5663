/** The title that a query is as a whole. */
import type { Reading, TitleLookup, TitleMention } from './interpretation.js'

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

/** A title inside a query may be chance: "the quiet girl" of a story is. */
const mentioned = 0.6

export const mentionReading = ({ begin, end, title, rows }: TitleMention): Reading => ({
  ...{ kind: 'title', begin, end, label: title, confidence: mentioned, excluded: false, rows },
})
