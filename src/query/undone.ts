/** What somebody does not do: `nobody fights`, `the animal doesnt talk`. */
import { isFillerToEnd, turnOrJoin } from './clause-end.js'
import type { Negatable } from './negation.js'

/** Words between: `he doesnt get a harem`, `nobody is really sick`, `doesnt rely on gore`. */
const between = new Set(
  (
    'a an any even ever really actually get gets become becomes turn turns is are be ' +
    'rely depend focus center revolve involve feature include contain need'
  ).split(' '),
)

/** The word after `doesnt` that tells what is not done. */
export function undoneFrom({ words, factAt }: Negatable, afterNegation: number): number {
  let from = afterNegation
  const isBetween = (word: string) =>
    between.has(word) || (from > afterNegation && particles.has(word))
  while (isBetween(words[from]?.folded ?? '') && factAt(from) === undefined) from += 1
  return from
}
/** Behind such a word: `nobody on a motorbike` rides one. */
const particles = new Set(['on', 'around'])

/** Words before that to which or for which something is done. */
const objects = new Set('to with for about of'.split(' '))

/** Whether a deed is told to its end: `nobody talks to her` says nothing of talk. */
export function isWholeDeed(asked: Negatable, from: number): boolean {
  const { words, factAt } = asked
  const hit = factAt(from)
  if (hit?.fact.kind !== 'topic') return false
  const end = from + hit.length
  if (objects.has(words[end]?.folded ?? '') && words[end - 1]?.endsClause === false) return false
  return turnOrJoin(asked, end) !== undefined || isFillerToEnd(asked, end)
}
