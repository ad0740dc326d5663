/** Bounds the time that titles of one query take, however often it says `like`, and looks no text up twice. */
import type { TitleLookup } from './interpretation.js'

/** What one lookup costs, compared with one of a title that is spelt so. */
const costs = { exact: 1, match: 20, known: 20, sure: 1, heads: 20 } as const
/** No query of everyday length needs half of this; beyond it no more titles are found. */
const most = 2000

export function boundedTitles(titles: TitleLookup): TitleLookup {
  let left = most
  const bounded = (look: TitleLookup['match'], cost: number): TitleLookup['match'] => {
    const found = new Map<string, ReturnType<typeof look>>()
    return (text) => {
      const known = found.get(text)
      if (known !== undefined) return known
      if (left < cost) return []
      left -= cost
      const matches = look(text)
      found.set(text, matches)
      return matches
    }
  }
  return {
    ...titles,
    exact: bounded(titles.exact, costs.exact),
    match: bounded(titles.match, costs.match),
    ...(titles.known && { known: bounded(titles.known, costs.known) }),
    ...(titles.sure && { sure: bounded(titles.sure, costs.sure) }),
    ...(titles.heads && { heads: bounded(titles.heads, costs.heads) }),
  }
}
