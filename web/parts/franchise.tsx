/** Other works of the same franchise, folded into one word. */
import { useState } from 'preact/hooks'
import type { DatasetName } from '../lib/query.js'
import type { FranchiseEntry } from '../lib/types.js'
import { typeLabel } from '../lib/words.js'
import { AppLink } from './app-link.js'

interface FranchiseProps {
  readonly dataset: DatasetName
  readonly entries?: readonly FranchiseEntry[] | undefined
}

export function Franchise({ dataset, entries = [] }: FranchiseProps) {
  const [isOpen, setOpen] = useState(false)
  if (entries.length === 0) return null
  return (
    <>
      <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        +{entries.length} in this series
      </button>
      {isOpen && (
        <ul class="franchise" aria-label="In this series">
          {entries.map(({ id, title, type, year }) => (
            <li key={id}>
              <AppLink change={{ dataset, work: id }}>{title}</AppLink>{' '}
              <span class="aside">
                {[type ? typeLabel(type) : '', year ?? ''].filter((part) => part !== '').join(' ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
