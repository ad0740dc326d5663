/** Names in a query that no title, character or maker of the catalogue has. */
import type { Candidates } from './candidates.js'
import type { Chosen } from './choose.js'

const minLetters = 3
const maxNames = 10

/** Runs of capital letters around a word that is in no vocabulary, and such a word behind `like`. */
export function unknownNamesOf(
  { query, words, isUnknown, cues }: Candidates,
  chosen: readonly Chosen[],
): readonly string[] {
  const isRead = words.map(() => false)
  for (const { from, to } of chosen) isRead.fill(true, from, to)
  const hasCapitals = words.some(({ isCapital }) => isCapital)
  const behindLike = new Set(cues.filter(({ name }) => name === 'like').map(({ to }) => to))
  const isNamed = (at: number) => words[at]?.isCapital === true && !isRead[at]
  const names: string[] = []
  for (let at = 0; at < words.length && names.length < maxNames; at += 1) {
    const word = words[at]
    if (!word || isRead[at] || isUnknown[at] !== true || word.folded.length < minLetters) continue
    if (!/^\p{L}/u.test(word.folded)) continue
    if (hasCapitals ? !word.isCapital : !behindLike.has(at)) continue
    let [from, to] = [at, at + 1]
    while (from > 0 && isNamed(from - 1) && words[from - 1]?.endsClause === false) from -= 1
    while (to < words.length && isNamed(to) && words[to - 1]?.endsClause === false) to += 1
    names.push(query.slice(words[from]?.begin, words[to - 1]?.end))
    at = to
  }
  return [...new Set(names)]
}
