/**
 * Japanese names have several spellings in Latin letters: 大空 is Oozora, Ohzora, Ōzora or Ozora, and Tsubasa is
 * also Tubasa. Rare stems are mostly names, so they are indexed by a key that all their spellings share.
 * Frequent stems stay as they are: `good` must not match `god`.
 */
import type { StemmedWords } from './stemmed-words.js'

/** A stem in more rows is a word, not a name. */
const maxRows = 60

/** In a small catalogue most words are rare: a name occurs in at most one of this many rows. */
const rowsPerNamed = 50

/** The index key of a rare stem. It starts with ~, so it never equals a stem. */
export function spellingKey(stem: string): string {
  const short = stem.replace(/aa+|ii+|uu+|o[ouh]+/g, (vowels) => vowels.charAt(0))
  const common = short.replace(/m(?=[bp])/g, 'n')
  return `~${common.replace(/shi|chi|tsu|ji/g, (syllable) => kunrei[syllable] ?? syllable)}`
}

/** Hepburn's spellings as the other system has them. */
const kunrei: Readonly<Record<string, string>> = { shi: 'si', chi: 'ti', tsu: 'tu', ji: 'zi' }

/**
 * The same words, with the key of its spelling for each stem that few rows have.
 * @param wordRows how many rows have each word
 * @param rowCount how many rows there are
 */
export function mergeSpellings(
  { stems, codes, others }: StemmedWords,
  wordRows: Uint32Array,
  rowCount: number,
): StemmedWords {
  const limit = Math.min(maxRows, rowCount / rowsPerNamed)
  const stemRows = countStemRows({ stems, codes, others }, wordRows)
  const keys = stems.map((stem, position) =>
    (stemRows[position] ?? 0) > limit ? stem : spellingKey(stem),
  )
  const merged = [...new Set(keys)].sort()
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
function countStemRows({ stems, codes, others }: StemmedWords, wordRows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(stems.length)
  codes.forEach((code, word) => {
    const own = code < stems.length ? [code] : (others[code - stems.length] ?? [])
    for (const stem of own) counts[stem] = (counts[stem] ?? 0) + (wordRows[word] ?? 0)
  })
  return counts
}
