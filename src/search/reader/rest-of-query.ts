/** What a query describes in addition to what was read from it, and how much of it the readings explain. */
import { constants } from '../../base/constants/constants.js'
import type { Candidates } from './candidates.js'
import type { Chosen } from './choose.js'
import type { Interpretation } from './interpretation.js'
import type { WordClass } from './lexicon.js'

/**
 * `topic`: read as a fact that texts state, too. `narrow`: the same, where texts are more precise. `fact`: something that
 * no text states.
 */
type Use = 'text' | 'topic' | 'narrow' | 'fact' | 'reference' | 'excluded'

/** How much of a word its reading explains. */
const explainedBy = (use: Use): number =>
  use === 'text' ? 0 : use === 'narrow' ? constants().reader.narrow : 1

/** Who and what happens is described by these; all other classes say nothing about a work. */
const storyClasses = new Set<WordClass>(['story'])

export function restOfQuery(
  { query, words, cues }: Candidates,
  chosen: readonly Chosen[],
  request: number,
): Pick<Interpretation, 'text' | 'explained'> {
  const uses: Use[] = words.map(() => 'text')
  for (const one of chosen) uses.fill(useOf(one), one.from, one.to)
  const isFiller = words.map(() => false)
  for (const { name, from, to } of cues) if (!storyClasses.has(name)) isFiller.fill(true, from, to)

  // Of a request in a long text, the clauses without one say nothing: they count as far as it is none.
  const clauses: { readonly from: number; readonly to: number }[] = []
  words.forEach(({ endsSentence }, at) => {
    if (endsSentence || at === words.length - 1)
      clauses.push({ from: clauses.at(-1)?.to ?? 0, to: at + 1 })
  })
  let [sum, all] = [0, 0]
  for (const { from, to } of clauses) {
    const isRead = uses.slice(from, to).some((use) => use !== 'text')
    const weight = isRead ? 1 : 1 - request
    for (let at = from; at < to; at += 1) {
      const use = uses[at] ?? 'text'
      if (use === 'text' && isFiller[at]) continue
      sum += weight * explainedBy(use)
      all += weight
    }
  }
  const isLeft = (at: number) => uses[at] !== 'reference' && uses[at] !== 'excluded'
  const saysMore = (use: Use, at: number) =>
    use === 'topic' || use === 'narrow' || (use === 'text' && isFiller[at] !== true)
  return { text: uses.some(saysMore) ? sliceWords() : '', explained: all === 0 ? 0 : sum / all }

  /** The words that are left, with the text between neighbours. */
  function sliceWords(): string {
    const parts: string[] = []
    for (let at = 0; at < words.length; at += 1) {
      if (!isLeft(at)) continue
      const begin = words[at]?.begin ?? 0
      while (at + 1 < words.length && isLeft(at + 1)) at += 1
      parts.push(query.slice(begin, words[at]?.end))
    }
    return parts.join(' ')
  }
}

function useOf(one: Chosen): Use {
  if (one.group === 'work')
    return one.role === 'seen' || one.role === 'disliked' ? 'excluded' : 'reference'
  if (one.role === 'refuse') return 'excluded'
  const { fact, isNarrow = false } = one.sense
  if (fact.kind !== 'topic') return 'fact'
  return isNarrow ? 'narrow' : 'topic'
}
