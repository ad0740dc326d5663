/** Words of a query that are no word, read as the nearest word of the lexicon, a typo away: `detectve`. */
import { textDistance } from '../../base/text/edit-distance.js'
import type { Word } from '../../base/text/words.js'

/** A shorter word is too often another one. */
const minLength = 6
/** So long a word may have two typos. */
const longLength = 11

/** The stem that is likely intended; undefined where none is near. */
export type Correct = (word: Word) => string | undefined

export function createSpelling(stems: ReadonlySet<string>): Correct {
  const byLetter = new Map<string, string[]>()
  for (const stem of stems) {
    if (stem.length < minLength) continue
    const ofLetter = byLetter.get(stem.charAt(0))
    if (ofLetter === undefined) byLetter.set(stem.charAt(0), [stem])
    else ofLetter.push(stem)
  }
  return ({ folded, stem }) => {
    let nearest: string | undefined
    let least = Infinity
    // The plural of a misspelt word has another stem than it would: `vampries`.
    for (const typed of new Set([folded, stem, folded.replace(/s$/, '')])) {
      if (typed.length < minLength - 1) continue
      for (const word of byLetter.get(typed.charAt(0)) ?? []) {
        const most = word.length < longLength ? 1 : 2
        if (Math.abs(typed.length - word.length) > most) continue
        const edits = textDistance(typed, word, most)
        if (edits <= most && edits < least) [nearest, least] = [word, edits]
      }
    }
    return nearest
  }
}
