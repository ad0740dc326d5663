/** A reading as the corpus writes it: { words, kind, what, excluded? }; `what` is its label, or its tags and genres. */
export function readingOf(reading, query) {
  const { begin, end, kind, label, excluded } = reading
  const what = kind === 'topic' ? [...reading.genres, ...reading.tags].sort().join(' ') : label
  return { words: query.slice(begin, end), kind, what, ...(excluded && { excluded }) }
}

/** Equal for readings that mean the same, wherever they are in the query. */
export const keyOf = ({ kind, what, excluded }) => `${excluded ? 'not ' : ''}${kind} ${what}`
