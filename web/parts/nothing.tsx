/** Nothing was found: what could be loosened. */
import { noFilters } from '../lib/query.js'
import { navigate, query } from '../state/navigation.js'
import { activeFilters } from './active-filters.js'

export function Nothing() {
  const filters = activeFilters()
  return (
    <div class="state">
      <h2>Nothing matches all of this.</h2>
      {filters.length === 0 ? (
        <p>
          No work matches “{query.value.text}”. Try other words, or leave out what you are less sure
          of.
        </p>
      ) : (
        <>
          <p>Your filters leave nothing. Remove one:</p>
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
                Remove all
              </button>
            </li>
          </ul>
        </>
      )}
    </div>
  )
}
