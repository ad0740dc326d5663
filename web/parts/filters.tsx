/** The filters: beside the results on a wide screen, a sheet on a narrow one. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { countFilters, noFilters } from '../lib/query.js'
import { facets } from '../state/facets.js'
import { changeFilters, navigate, query } from '../state/navigation.js'
import { Choices } from './choices.js'
import { Range } from './range.js'
import { WishPicker } from './wish-picker.js'

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
            <button class="button strong">Show the results</button>
          </form>
        </div>
      </dialog>
    </div>
  )
}

function FilterFields() {
  const { dataset, filters } = query.value
  const known = facets.value[dataset]
  const hasNovels = dataset === 'manga'
  return (
    <>
      <Choices
        title="Type"
        name="types"
        facets={known?.types.filter(({ value }) => value !== 'light_novel')}
      >
        {hasNovels && (
          <Switch
            label="Light novels too"
            isOn={filters.lightNovels}
            onChange={(lightNovels) => changeFilters({ lightNovels })}
          />
        )}
      </Choices>
      <Range years={known?.years} hasScores={typeof known?.scores.from === 'number'} />
      <Choices title="Audience" name="audiences" facets={known?.audiences} />
      <WishPicker title="Tags" name="tags" facets={known?.tags} />
      <WishPicker title="Genres" name="genres" facets={known?.genres} />
      <Choices title="Studio" name="studios" facets={known?.studios} isLong />
      <fieldset>
        <Switch
          label="Works for adults too"
          isOn={filters.adult}
          onChange={(adult) => changeFilters({ adult })}
        />
        {known && <p class="aside counted">Numbers count all works of this server.</p>}
        {countFilters(filters) > 0 && (
          <button type="button" class="plain" onClick={() => navigate({ filters: noFilters })}>
            No filters
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
