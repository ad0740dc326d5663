/** One dataset, or all of them. */
import { datasets } from '../lib/server.js'
import { datasetLabel } from '../lib/words.js'
import { query, switchDataset } from '../state/navigation.js'

export function DatasetSwitch() {
  if (datasets.length < 2) return null
  const { both, dataset } = query.value
  const shown = both ? 'both' : dataset
  return (
    <div class="switch" role="group" aria-label="What to search">
      {[...datasets, 'both'].map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === shown}
          onClick={() => switchDataset(name)}
        >
          {name === 'both' ? (datasets.length > 2 ? 'All' : 'Both') : datasetLabel(name)}
        </button>
      ))}
    </div>
  )
}
