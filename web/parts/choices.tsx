/** Values: a work must have one of those that are chosen. Long lists are searched by their first letters. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Facet } from '../lib/types.js'
import { typeLabel } from '../lib/words.js'
import { changeFilters, query } from '../state/navigation.js'

interface ChoicesProps {
  readonly title: string
  readonly name: 'types' | 'audiences' | 'studios'
  readonly facets: readonly Facet[] | undefined
  readonly isLong?: boolean
  readonly children?: ComponentChildren
}

const shownValues = 6

export function Choices({ title, name, facets = [], isLong = false, children }: ChoicesProps) {
  const [typed, setTyped] = useState('')
  const chosen = query.value.filters[name]
  const unknown = chosen.filter((value) => !facets.some((facet) => facet.value === value))
  const all = [...unknown.map((value) => ({ value, count: undefined })), ...facets]
  if (all.length === 0 && !children) return null
  const isNear = (value: string) => value.toLowerCase().includes(typed.trim().toLowerCase())
  const shown = isLong
    ? all
        .filter(({ value }) => chosen.includes(value) || isNear(value))
        .slice(0, shownValues + chosen.length)
    : all
  const toggle = (value: string, isOn: boolean) =>
    changeFilters({ [name]: isOn ? [...chosen, value] : chosen.filter((other) => other !== value) })
  return (
    <fieldset>
      <legend>{title}</legend>
      {isLong && (
        <input
          type="search"
          class="find"
          placeholder={`Find a ${title.toLowerCase()}`}
          aria-label={`Find a ${title.toLowerCase()}`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {isLong && (
        <p class="none-found" role="status">
          {!all.some(({ value }) => isNear(value)) &&
            `No ${title.toLowerCase()} has “${typed.trim()}” in its name.`}
        </p>
      )}
      {shown.map(({ value, count }) => (
        <label key={value} class="toggle">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          <span dir="auto">{isLong ? value : typeLabel(value)}</span>
          {count !== undefined && count > 0 && (
            <span class="count">{count.toLocaleString('en')}</span>
          )}
        </label>
      ))}
      {children}
    </fieldset>
  )
}
