/** Phrases that follow each other without a gap. */

/** How many words the phrase that begins at a word has; 0 or undefined where none does. */
type LengthAt = (position: number) => number | undefined

/** Where phrases that follow each other from a word on end: before `to` if a word there begins none, after it if the last goes on. */
export function endOfRun(from: number, to: number, lengthAt: LengthAt): number {
  let at = from
  while (at < to) {
    const length = lengthAt(at) ?? 0
    if (length === 0) return at
    at += length
  }
  return at
}

/** Whether phrases follow each other from one word to another, and end there. */
export const covers = (from: number, to: number, lengthAt: LengthAt): boolean =>
  endOfRun(from, to, lengthAt) === to
