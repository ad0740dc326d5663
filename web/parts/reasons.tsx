/** In words: what of the query a result has, what it lacks, and which liked works it is like. */
import type { Query } from '../lib/query.js'
import { query } from '../state/navigation.js'
import type { Result } from '../lib/types.js'

export function Reasons({ result }: { readonly result: Result }) {
  const { explain } = result
  // Of a single work that was picked, the chip says so already.
  const because = isObvious(query.value) ? [] : (result.because ?? [])
  const { facts = [], missing = [] } = explain ?? {}
  if (facts.length + missing.length + because.length === 0) return null
  return (
    <ul class="fits" aria-label="Why it is here">
      {because.length > 0 && (
        <li class="because">
          Like <span dir="auto">{listOf(because.map(({ title }) => title))}</span>
        </li>
      )}
      {facts.map((fact) => (
        <li key={fact} class="met">
          {fact}
        </li>
      ))}
      {missing.map((fact) => (
        <li key={fact} class="missing">
          <span class="hidden">Not </span>
          {fact}
        </li>
      ))}
    </ul>
  )
}

const isObvious = ({ forMe, more }: Query): boolean => !forMe && more.length < 2

const listOf = (titles: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(titles)
