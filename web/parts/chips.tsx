/** What the query was read as, and what is filtered: each goes with one click, or with Delete. */
import { useState } from 'preact/hooks'
import type { Reading } from '../lib/types.js'
import { readingLabel } from '../lib/words.js'
import { navigate, query } from '../state/navigation.js'
import { found } from '../state/search.js'
import { titleFor } from '../state/titles.js'
import { activeFilters, type ActiveFilter } from './active-filters.js'

interface ChipProps {
  readonly label: string
  readonly kind: 'read' | 'not' | 'filter'
  readonly hint: string
  readonly onRemove: () => void
}

/** So many readings are shown at first; a long query has five times as many. */
const shownReadings = 12

export function Chips() {
  const { ignore, text } = query.value
  const { readings } = found.value
  const works = refinements()
  const filters = activeFilters()
  if (readings.length + filters.length + ignore.length + works.length === 0) return null
  return (
    <div class="chips">
      {readings.length > 0 && <Readings key={text} readings={readings} />}
      {works.length > 0 && (
        <ul aria-label="Refined by">
          {works.map(({ label, isExcluded, remove }) => (
            <Chip
              key={label}
              label={label}
              kind={isExcluded ? 'not' : 'filter'}
              hint="Remove"
              onRemove={remove}
            />
          ))}
        </ul>
      )}
      {filters.length > 0 && (
        <ul aria-label="Filters">
          <li class="chips-word">Only</li>
          {filters.map(({ label, isExcluded, remove }) => (
            <Chip
              key={label}
              label={label}
              kind={isExcluded ? 'not' : 'filter'}
              hint="Remove this filter"
              onRemove={remove}
            />
          ))}
        </ul>
      )}
      {ignore.length > 0 && (
        <button type="button" class="plain" onClick={() => navigate({ ignore: [] })}>
          Undo changes to the reading
        </button>
      )}
    </div>
  )
}

/** Works that the results should be like or unlike, and somebody's list. */
function refinements(): ActiveFilter[] {
  const { forMe, dataset } = query.value
  const chipsOf = (name: 'more' | 'less') =>
    query.value[name].map((id) => ({
      label: `${name === 'more' ? 'More' : 'Less'} like ${titleFor(dataset, id)}`,
      isExcluded: name === 'less',
      remove: () => navigate({ [name]: query.value[name].filter((other) => other !== id) }),
    }))
  return [
    ...(forMe
      ? [{ label: 'For me', isExcluded: false, remove: () => navigate({ forMe: false }) }]
      : []),
    ...chipsOf('more'),
    ...chipsOf('less'),
  ]
}

function Readings({ readings }: { readonly readings: readonly Reading[] }) {
  const [isWhole, setWhole] = useState(false)
  const byLabel = [...groupByLabel(readings)]
  const shown = isWhole ? byLabel : byLabel.slice(0, shownReadings)
  return (
    <ul aria-label="Read as">
      <li class="chips-word">Read as</li>
      {shown.map(([label, same]) => (
        <Chip
          key={label}
          label={label}
          kind={same[0]?.excluded ? 'not' : 'read'}
          hint="Treat as plain words"
          onRemove={() => forget(same)}
        />
      ))}
      {byLabel.length > shownReadings && (
        <li>
          <button
            type="button"
            class="plain"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Fewer' : `${byLabel.length - shownReadings} more`}
          </button>
        </li>
      )}
    </ul>
  )
}

function Chip({ label, kind, hint, onRemove }: ChipProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return
    event.preventDefault()
    const list =
      event.currentTarget instanceof HTMLElement ? event.currentTarget.closest('.chips') : null
    onRemove()
    // Another chip takes over the focus, so that several can be taken away in a row.
    requestAnimationFrame(() => list?.querySelector<HTMLElement>('.chip')?.focus())
  }
  return (
    <li>
      <button
        type="button"
        class={`chip ${kind}`}
        title={hint}
        aria-label={`${label}. ${hint}.`}
        onClick={onRemove}
        onKeyDown={onKeyDown}
      >
        <span dir="auto">{label}</span>
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="m3 3 6 6m0-6-6 6" />
        </svg>
      </button>
    </li>
  )
}

/** What is said several times is one chip, which takes all of them away. */
function groupByLabel(readings: readonly Reading[]): Map<string, Reading[]> {
  const groups = new Map<string, Reading[]>()
  for (const reading of readings) {
    const label = readingLabel(reading)
    groups.set(label, [...(groups.get(label) ?? []), reading])
  }
  return groups
}

function forget(readings: readonly Reading[]): void {
  const spans = readings.map(({ begin, end }) => [begin, end] as const)
  navigate({ ignore: [...query.value.ignore, ...spans].toSorted(([one], [other]) => one - other) })
}
