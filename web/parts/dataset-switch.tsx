/** Anime or manga. */
import { datasets } from '../lib/server.js'
import { query, switchDataset } from '../state/navigation.js'

export function DatasetSwitch() {
  if (datasets.length < 2) return null
  return (
    <div class="switch" role="group" aria-label="What to search">
      {datasets.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === query.value.dataset}
          onClick={() => switchDataset(name)}
        >
          {name === 'anime' ? 'Anime' : 'Manga'}
        </button>
      ))}
    </div>
  )
}
