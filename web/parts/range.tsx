/** Years and score. */
import type { Facets } from '../lib/types.js'
import { changeFilters, query } from '../state/navigation.js'

export function Range({ years }: { readonly years: Facets['years'] | undefined }) {
  const { yearFrom, yearTo, minScore } = query.value.filters
  return (
    <>
      <fieldset class="years">
        <legend>Years</legend>
        <Year
          label="from"
          value={yearFrom}
          hint={years?.from}
          onChange={(year) =>
            changeFilters({
              yearFrom: year,
              ...(year && yearTo && year > yearTo && { yearTo: year }),
            })
          }
        />
        <Year
          label="to"
          value={yearTo}
          hint={years?.to}
          onChange={(year) =>
            changeFilters({
              yearTo: year,
              ...(year && yearFrom && year < yearFrom && { yearFrom: year }),
            })
          }
        />
      </fieldset>
      <fieldset>
        <legend>Score</legend>
        <label class="slider">
          <input
            type="range"
            min={0}
            max={9}
            step={0.5}
            value={minScore ?? 0}
            aria-label="Lowest score"
            aria-valuetext={minScore === undefined ? 'any' : `${minScore} or more`}
            onChange={(event) => {
              const score = Number(event.currentTarget.value)
              changeFilters({ minScore: score === 0 ? undefined : score })
            }}
          />
          <output>{minScore === undefined ? 'any' : `★ ${minScore}+`}</output>
        </label>
      </fieldset>
    </>
  )
}

interface YearProps {
  readonly label: string
  readonly value: number | undefined
  readonly hint: number | null | undefined
  readonly onChange: (year: number | undefined) => void
}

function Year({ label, value, hint, onChange }: YearProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        min={1}
        max={9999}
        inputMode="numeric"
        value={value ?? ''}
        placeholder={hint ? String(hint) : ''}
        onChange={(event) => {
          const { value: word, validity } = event.currentTarget
          if (validity.valid) onChange(word === '' ? undefined : Number(word))
        }}
      />
    </label>
  )
}
