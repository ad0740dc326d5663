/** A text cut at its marked parts. */

export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** @param spans begin and end in UTF-16 units, in any order; what lies outside the text, or is not a span, is ignored */
export function highlight(
  text: string,
  spans: readonly (readonly [number, number])[] = [],
): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const [begin, end] of spans.toSorted(([one], [other]) => one - other)) {
    const from = Math.max(begin, at)
    const to = Math.min(end, text.length)
    if (!(from < to)) continue
    if (from > at) pieces.push({ text: text.slice(at, from), isMarked: false })
    pieces.push({ text: text.slice(from, to), isMarked: true })
    at = to
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMarked: false })
  return pieces
}
