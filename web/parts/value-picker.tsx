/** Values that must, may or must not be there: tags and genres. */
import { useState } from 'preact/hooks'
import type { Mode } from '../lib/query.js'
import type { Facet } from '../lib/types.js'
import { changeFilters, query } from '../state/navigation.js'
import { without } from './active-filters.js'

interface ValuePickerProps {
  readonly title: string
  readonly name: 'genres' | 'tags'
  readonly facets: readonly Facet[] | undefined
}

const shownValues = 10
const modes: readonly (readonly [Mode, string])[] = [
  ['all', 'must'],
  ['any', 'may'],
  ['none', 'not'],
]

export function ValuePicker({ title, name, facets = [] }: ValuePickerProps) {
  const [typed, setTyped] = useState('')
  const chosen = query.value.filters[name]
  const names = new Map(facets.map(({ value, name = value }) => [value, name]))
  const near = typed.trim().toLowerCase()
  const offered = facets
    .filter(
      ({ value, name = value }) =>
        !Object.hasOwn(chosen, value) && name.toLowerCase().includes(near),
    )
    .slice(0, shownValues)
  const hasChosen = Object.keys(chosen).length > 0
  if (facets.length === 0 && !hasChosen) return null
  const one = title.slice(0, -1).toLowerCase()
  const set = (value: string, mode: Mode) => changeFilters({ [name]: { ...chosen, [value]: mode } })
  return (
    <fieldset class="chosen-values">
      <legend>{title}</legend>
      {Object.entries(chosen).map(([value, mode]) => {
        const label = names.get(value) ?? value
        return (
          <div key={value} class={`chosen-value ${mode}`} role="group" aria-label={label}>
            <span class="chosen-value-name">{label}</span>
            {modes.map(([choice, word]) => (
              <button
                key={choice}
                type="button"
                aria-pressed={choice === mode}
                onClick={() => set(value, choice)}
              >
                {word}
              </button>
            ))}
            <button
              type="button"
              class="away"
              aria-label={`Remove ${label}`}
              onClick={() => changeFilters({ [name]: without(chosen, value) })}
            >
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <path d="m3 3 6 6m0-6-6 6" />
              </svg>
            </button>
          </div>
        )
      })}
      <input
        type="search"
        class="find"
        placeholder={`Find a ${one}`}
        aria-label={`Find a ${one}`}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = offered
          if (event.key !== 'Enter' || first === undefined || near === '') return
          set(first.value, 'all')
          setTyped('')
        }}
      />
      <p class="none-found" role="status">
        {offered.length === 0 &&
          near !== '' &&
          `No ${hasChosen ? 'other ' : ''}${one} has “${typed.trim()}” in its name.`}
      </p>
      <ul class="offered" aria-label={`${title} to choose`}>
        {offered.map(({ value, name: label = value, family, count }) => (
          <li key={value}>
            <button
              type="button"
              data-family={family}
              onClick={() => {
                set(value, 'all')
                setTyped('')
              }}
            >
              {label}
              {count > 0 && (
                <>
                  {' '}
                  <span class="count">{count.toLocaleString('en')}</span>
                </>
              )}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
