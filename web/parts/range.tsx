/** Years and score. */
import { useState } from 'preact/hooks'
import type { Facets } from '../lib/types.js'
import { changeFilters, query } from '../state/navigation.js'

interface RangeProps {
  readonly years: Facets['years'] | undefined
  /** Whether some work has a score, or one is requested. */
  readonly hasScores: boolean
}

export function Range({ years, hasScores }: RangeProps) {
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
      {(hasScores || minScore !== undefined) && <Score minScore={minScore} />}
    </>
  )
}

function Score({ minScore }: { readonly minScore: number | undefined }) {
  return (
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
  )
}

interface YearProps {
  readonly label: string
  readonly value: number | undefined
  readonly hint: number | null | undefined
  readonly onChange: (year: number | undefined) => void
}

const yearProblem = 'A year is a whole number from 1 to 9999.'

function Year({ label, value, hint, onChange }: YearProps) {
  // What was typed, where it is not a year.
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const isWrong = wrong !== undefined
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        min={1}
        max={9999}
        inputMode="numeric"
        value={wrong ?? value ?? ''}
        placeholder={hint ? String(hint) : ''}
        aria-invalid={isWrong}
        onChange={(event) => {
          const { value: word, validity } = event.currentTarget
          setWrong(validity.valid ? undefined : word)
          if (validity.valid) onChange(word === '' ? undefined : Number(word))
        }}
      />
      {isWrong && (
        <span class="problem" role="alert">
          {yearProblem}
        </span>
      )}
    </label>
  )
}
