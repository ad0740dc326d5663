/** Words that people drop, add or mix up in a title of several others: `Ghost in a Shell`, `attack of titan`. */

const smallWords: ReadonlySet<string> = new Set(
  'a an the of in on at to and or for with from no wa ga o wo ni e de'.split(' '),
)
/** Those that may stand before any title. */
const articles: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/** The words without an article before the first. */
const withoutArticle = (words: readonly string[]): readonly string[] =>
  articles.has(words[0] ?? '') ? words.slice(1) : words

export const isTellingWord = (word: string): boolean => !smallWords.has(word)

/** Fewer other words, or shorter ones, are in too many titles. */
const minTellingWords = 2
const minTellingCharacters = 8

/** The words of a title without small ones; none where they mean too little. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter(isTellingWord)
  const isEnough =
    telling.length >= minTellingWords && telling.join('').length >= minTellingCharacters
  return isEnough ? telling : []
}

/** Of so many telling words one small word may be wrong. */
const wordsOfEdit = 2

/**
 * How many small words are wrong, missing or too many where the telling words of a query are those of a title, or
 * begin it; undefined where they do not, or too many are. An article before the first word counts for nothing.
 */
export function smallWordEdits(
  query: readonly string[],
  title: readonly string[],
): { readonly edits: number; readonly isWhole: boolean } | undefined {
  // Most titles differ in their first word.
  if (query.find(isTellingWord) !== title.find(isTellingWord)) return undefined
  const telling = tellingWords(query)
  if (telling.length === 0) return undefined
  const [one, other] = [gapsOf(query), gapsOf(title)]
  if (telling.some((word, place) => word !== other[place]?.word)) return undefined
  const isWhole = one.length === other.length
  const last = one.length - 1
  let edits = 0
  for (const [place, { before }] of one.entries()) {
    // What follows the words of a title that is begun is not typed yet.
    if (place === last && !isWhole && before.length === 0) continue
    const otherBefore = other[place]?.before ?? []
    const same = before.filter((word) => otherBefore.includes(word)).length
    edits += Math.max(otherBefore.length, before.length) - same
  }
  return edits <= Math.max(1, telling.length / wordsOfEdit) ? { edits, isWhole } : undefined
}

interface Gap {
  /** Small words before a telling one, or before the end. */
  readonly before: readonly string[]
  readonly word: string | undefined
}

function gapsOf(words: readonly string[]): readonly Gap[] {
  const gaps: Gap[] = []
  let before: string[] = []
  for (const word of withoutArticle(words)) {
    if (smallWords.has(word)) {
      before.push(word)
      continue
    }
    gaps.push({ before, word })
    before = []
  }
  return [...gaps, { before, word: undefined }]
}
