/** The first tags of a work, which are the weightiest; a click limits the results to works that have it too. */
import type { ResultTag } from '../lib/types.js'
import { changeFilters, query } from '../state/navigation.js'

const shownTags = 7

export function Tags({ tags = [] }: { readonly tags?: readonly ResultTag[] | undefined }) {
  if (tags.length === 0) return null
  const chosen = query.value.filters.tags
  const first = tags.slice(0, shownTags)
  return (
    <ul class="tags" aria-label="Tags">
      {first.map(({ tag, name, family }) => (
        <li key={tag}>
          <button
            type="button"
            data-family={family ?? undefined}
            title={`Only works with ${name}`}
            aria-pressed={chosen[tag] === 'all'}
            onClick={() => changeFilters({ tags: { ...chosen, [tag]: 'all' } })}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
