/** Words of texts and queries, as full-text search compares them. */

/** In order of appearance, as written. */
export function splitWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []
}

/** Removes words that say nothing about a story, unless nothing else is left. */
export function withoutStopWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !stopWords.has(word.toLowerCase()))
  return telling.length > 0 ? telling : words
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'a about after all also an and any are as at be because been before being but by can could did do does ' +
    'doing for from had has have having he her hers him his how i if in into is it its itself just ' +
    'll me more most my no not now of on only or other our out over own s so some such t than that ' +
    'the their them then there these they this those through to too up us ve very was we were what ' +
    'when where which while who whom whose why will with would you your'
  ).split(' '),
)
