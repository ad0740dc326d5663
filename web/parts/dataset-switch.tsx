/** Anime, manga, or both. */
import { datasets } from '../lib/server.js'
import { query, switchDataset } from '../state/navigation.js'

const labels = { anime: 'Anime', manga: 'Manga', both: 'Both' } as const

export function DatasetSwitch() {
  if (datasets.length < 2) return null
  const { both, dataset } = query.value
  const shown = both ? 'both' : dataset
  return (
    <div class="switch" role="group" aria-label="What to search">
      {(['anime', 'manga', 'both'] as const).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === shown}
          onClick={() => switchDataset(name)}
        >
          {labels[name]}
        </button>
      ))}
    </div>
  )
}
