/** Which language a query is in, where that is certain: names and short queries are in every language. */
import { wordsOf } from '../../base/text/words.js'

/** A code of ISO 639-1, one of those that were requested; undefined for English and where it is not certain. */
export type Detect = (text: string) => string | undefined

/**
 * Of 101,988 English queries, titles and names of the repository, 0.06 % are taken for another language from these on,
 * and every query of bench/data/languages.jsonl for its own. bench/results/quality/languages.md has the others.
 */
const minWords = 4
const minLead = 0.1

/** Loads the data of the detector, 1 MB, which takes some 100 ms. */
export async function loadDetector(codes: readonly string[]): Promise<Detect> {
  const { eld } = await import('eld/extrasmall')
  const known = new Set(codes)
  return (text) => {
    if (wordsOf(text, minWords).length < minWords) return undefined
    const found = eld.detect(text)
    if (!known.has(found.language) || !found.isReliable()) return undefined
    const { [found.language]: best = 0, en = 0 } = found.getScores()
    return best - en >= minLead ? found.language : undefined
  }
}
