/** Other works of the same franchise, folded into one line. */
import type { FranchiseEntry } from '../lib/types.js'
import { typeLabel } from '../lib/words.js'
import { AppLink } from './app-link.js'

const shownEntries = 4

export function Franchise({
  entries = [],
}: {
  readonly entries?: readonly FranchiseEntry[] | undefined
}) {
  if (entries.length === 0) return null
  const rest = entries.length - shownEntries
  return (
    <div class="franchise">
      <span class="franchise-word">Also</span>
      <ul aria-label="Of the same franchise">
        {entries.slice(0, shownEntries).map(({ id, title, type, year }) => (
          <li key={id}>
            <AppLink change={{ work: id }}>{title}</AppLink>{' '}
            <span class="aside">
              {[type ? typeLabel(type) : '', year ?? ''].filter((part) => part !== '').join(' ')}
            </span>
          </li>
        ))}
        {rest > 0 && <li class="aside">and {rest} more</li>}
      </ul>
    </div>
  )
}
