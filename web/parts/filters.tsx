/** The filters: next to the results on a wide screen, a sheet on a narrow one. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { countFilters, noFilters } from '../lib/query.js'
import { offered } from '../state/facets.js'
import { found } from '../state/search.js'
import { changeFilters, navigate, query } from '../state/navigation.js'
import { Choices } from './choices.js'
import { Range } from './range.js'
import { ValuePicker } from './value-picker.js'

const wide = matchMedia('(min-width: 60rem)')
const isWide = signal(wide.matches)
wide.addEventListener('change', () => (isWide.value = wide.matches))

export function Filters() {
  const sheet = useRef<HTMLDialogElement>(null)
  const count = countFilters(query.value.filters)
  useEffect(() => {
    if (isWide.value) sheet.current?.close()
  }, [isWide.value])
  if (isWide.value) {
    return (
      <aside class="filters" aria-label="Filters">
        <FilterFields />
      </aside>
    )
  }
  return (
    <div class="sheet-opener">
      <button
        type="button"
        class="button"
        aria-haspopup="dialog"
        onClick={() => sheet.current?.showModal()}
      >
        Filters{count > 0 && ` (${count})`}
      </button>
      <dialog
        ref={sheet}
        class="sheet"
        aria-label="Filters"
        onClick={(event) => event.target === sheet.current && sheet.current?.close()}
      >
        <div class="filters">
          <FilterFields />
          <form method="dialog">
            <button class="button strong">Show results</button>
          </form>
        </div>
      </dialog>
    </div>
  )
}

function FilterFields() {
  const { dataset, both, filters } = query.value
  const known = offered(found.value.facets)
  const hasNovels = dataset === 'manga' || both
  return (
    <>
      <Choices
        title="Type"
        name="types"
        facets={known.types?.filter(({ value }) => value !== 'light_novel')}
      >
        {hasNovels && (
          <Switch
            label="Include light novels"
            isOn={filters.lightNovels}
            onChange={(lightNovels) => changeFilters({ lightNovels })}
          />
        )}
      </Choices>
      <Range years={known.years} hasScores={typeof known.scores?.from === 'number'} />
      <Choices title="Audience" name="audiences" facets={known.audiences} />
      <ValuePicker title="Tags" name="tags" facets={known.tags} />
      <ValuePicker title="Genres" name="genres" facets={known.genres} />
      <Choices title="Studio" name="studios" facets={known.studios} isLong />
      <fieldset>
        <Switch
          label="Include adult works"
          isOn={filters.adult}
          onChange={(adult) => changeFilters({ adult })}
        />
        <p class="aside counted">
          {known.isCounted
            ? 'Numbers count the results of this search. A filter may find more.'
            : 'Numbers count all works on this server.'}
        </p>
        {countFilters(filters) > 0 && (
          <button type="button" class="plain" onClick={() => navigate({ filters: noFilters })}>
            Clear filters
          </button>
        )}
      </fieldset>
    </>
  )
}

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}
