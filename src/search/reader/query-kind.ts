/** What a query is as a whole, as shares: a request, a remembered scene, a question about a work, or a pasted text. */
import type { Candidates } from './candidates.js'
import { wordClasses } from './lexicon.js'

export const queryKinds = ['request', 'scene', 'question', 'pasted'] as const
type QueryKind = (typeof queryKinds)[number]
export type QueryKinds = Readonly<Record<QueryKind, number>>

/** Weights of each kind by feature. */
export interface KindWeights {
  readonly words: ReadonlySet<string>
  readonly weights: ReadonlyMap<string, readonly number[]>
}

export function kindFeatures(
  { query, words, cues }: Candidates,
  known: ReadonlySet<string>,
  take: (name: string, value: number) => void,
): void {
  take('bias', 1)
  const length = Math.min(9, Math.floor(Math.log2(words.length + 1)))
  take(`length ${length}`, 1)
  if (query.includes('?')) take('question mark', 1)
  if (query.includes('\n')) take('lines', 1)
  if (/[,;]/.test(query)) take('commas', 1)
  if (/^\p{Lu}/u.test(query)) take('capital', 1)
  if (/\.\s*$/.test(query)) take('full stop', 1)
  const counts = new Map<string, number>()
  for (const { name } of cues) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const name of wordClasses) {
    const count = counts.get(name) ?? 0
    if (count === 0) continue
    take(`has ${name}`, 1)
    take(`share ${name}`, Math.min(1, (4 * count) / words.length))
  }
  words.slice(0, 3).forEach(({ folded }, at) => {
    if (known.has(folded)) take(`word ${at} ${folded}`, 1)
  })
  for (const folded of new Set(words.map(({ folded }) => folded)))
    if (known.has(folded)) take(`word ${folded}`, 1)
}

export function kindsOf(candidates: Candidates, { words, weights }: KindWeights): QueryKinds {
  const logits = queryKinds.map(() => 0)
  kindFeatures(candidates, words, (name, value) => {
    const row = weights.get(name)
    if (row === undefined) return
    for (let kind = 0; kind < logits.length; kind += 1)
      logits[kind] = (logits[kind] ?? 0) + value * (row[kind] ?? 0)
  })
  const most = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - most))
  const sum = powers.reduce((total, power) => total + power, 0)
  const [request = 0, scene = 0, question = 0, pasted = 0] = powers.map((power) => power / sum)
  return { request, scene, question, pasted }
}
