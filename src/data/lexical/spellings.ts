/**
 * Rare stems are mostly names, so they are indexed by a key that all spellings of a name share. Frequent stems stay
 * as they are: `good` must not match `god`.
 */
import { spellingKey } from '../../base/text/spelling-key.js'
import type { WordStems } from '../../native/addon/row-words.js'
import { inCodePointOrder } from '../../base/text/stemmer.js'

/** A stem in more rows is a word, not a name. */
const maxRows = 60

/** In a small catalogue most words are rare: a name occurs in at most one of this many rows. */
const rowsPerNamed = 50

/**
 * The same words, with the key of its spelling for each stem that few rows have.
 * @param wordRows how many rows have each word
 * @param rowCount how many rows there are
 */
export function mergeSpellings(
  { stems, codes, others }: WordStems,
  wordRows: Uint32Array,
  rowCount: number,
): WordStems {
  const limit = Math.min(maxRows, rowCount / rowsPerNamed)
  const stemRows = countStemRows({ stems, codes, others }, wordRows)
  const keys = stems.map((stem, position) =>
    (stemRows[position] ?? 0) > limit ? stem : spellingKey(stem),
  )
  const merged = inCodePointOrder(new Set(keys))
  const slots = new Map(merged.map((key, slot) => [key, slot]))
  const slotOf = Uint32Array.from(keys, (key) => slots.get(key) ?? 0)
  return {
    stems: merged,
    codes: codes.map((code) =>
      code < stems.length ? (slotOf[code] ?? 0) : code - stems.length + merged.length,
    ),
    others: others.map((own) => own.map((stem) => slotOf[stem] ?? 0)),
  }
}

/** How many rows have each stem; one that has several of its words counts for each. */
function countStemRows({ stems, codes, others }: WordStems, wordRows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(stems.length)
  codes.forEach((code, word) => {
    const own = code < stems.length ? [code] : (others[code - stems.length] ?? [])
    for (const stem of own) counts[stem] = (counts[stem] ?? 0) + (wordRows[word] ?? 0)
  })
  return counts
}
