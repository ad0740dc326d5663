/** Whether a query wants one work that is like each of several, rather than like any: `X meets Y`, `a mix of X and Y`. */
import type { Candidates } from './candidates.js'
import type { Chosen } from './choose.js'

export function isCross({ cues }: Candidates, chosen: readonly Chosen[]): boolean {
  const likes = chosen.filter(({ role }) => role === 'like')
  return (
    likes.length > 1 &&
    cues.some(
      ({ name, from, to }) =>
        name === 'cross' && likes.some((work) => work.to === from || work.from === to),
    )
  )
}
