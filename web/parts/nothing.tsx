/** Nothing was found: what could be loosened. */
import { noFilters } from '../lib/query.js'
import { navigate, query } from '../state/navigation.js'
import { activeFilters } from './active-filters.js'

export function Nothing() {
  const filters = activeFilters()
  return (
    <div class="state">
      <h2>Nothing fits all of this.</h2>
      {filters.length === 0 ? (
        <p>
          The server found no work for “{query.value.text}”. Say it in other words, or leave out
          what you are less sure of.
        </p>
      ) : (
        <>
          <p>Filters leave out everything that does not meet them. Take one away:</p>
          <ul class="loosen">
            {filters.map(({ label, remove }) => (
              <li key={label}>
                <button type="button" class="chip filter" onClick={remove}>
                  {label}
                </button>
              </li>
            ))}
            <li>
              <button type="button" class="plain" onClick={() => navigate({ filters: noFilters })}>
                All of them
              </button>
            </li>
          </ul>
        </>
      )}
    </div>
  )
}
