/** The controls of the map: the dataset, a search, the colours. */
import { useEffect, useState } from 'preact/hooks'
import { datasets, has } from '../lib/server.js'
import { countLabel, datasetLabel } from '../lib/words.js'
import { scaleOf, type ColourBy } from './colours.js'
import type { Points } from './points.js'
import { ask, mapView, found, searchAgain, searchFault, toAddress } from './state.js'

const ways: readonly (readonly [ColourBy, string])[] = [
  ['family', 'what it is about'],
  ['year', 'year'],
]

export function Controls({ points }: { readonly points: Points | undefined }) {
  const { dataset, by, adult } = mapView.value
  return (
    <div class="map-controls">
      {datasets.length > 1 && (
        <div class="switch" role="group" aria-label="What to show">
          {datasets.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === dataset}
              onClick={() => ask({ dataset: name, work: undefined })}
            >
              {datasetLabel(name)}
            </button>
          ))}
        </div>
      )}
      {has('search') && <Search />}
      <div class="switch" role="group" aria-label="Colour by">
        <span aria-hidden="true">Colour by</span>
        {ways.map(([way, label]) => (
          <button
            key={way}
            type="button"
            aria-pressed={way === by}
            onClick={() => ask({ by: way })}
          >
            {label}
          </button>
        ))}
      </div>
      <label class="map-adult">
        <input
          type="checkbox"
          checked={adult}
          onChange={(event) => ask({ adult: event.currentTarget.checked, work: undefined })}
        />
        Works for adults
      </label>
      <div class="below">
        {points && <Legend points={points} />}
        <Outcome />
      </div>
    </div>
  )
}

function Search() {
  const { text } = mapView.value
  const [draft, setDraft] = useState(text)
  useEffect(() => setDraft(text), [text])
  const put = (next: string) => ask({ text: next.trim(), work: undefined })
  return (
    <search>
      <form
        class="map-search"
        onSubmit={(event) => {
          event.preventDefault()
          put(draft)
        }}
      >
        <label class="hidden" for="box">
          Highlight what is like
        </label>
        <input
          id="box"
          type="search"
          dir="auto"
          maxLength={2000}
          autocomplete="off"
          placeholder="Highlight works by a description …"
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== '') put('')
          }}
        />
        <button type="submit" class="button">
          Highlight
        </button>
      </form>
    </search>
  )
}

/** What a search highlights, or why it has not. */
function Outcome() {
  const fault = searchFault.value
  const { text } = mapView.value
  if (fault) {
    return (
      <p class="outcome" role="alert">
        {fault.message}{' '}
        <button type="button" onClick={searchAgain}>
          Try again
        </button>
      </p>
    )
  }
  const works = found.value?.works
  return (
    <p class="outcome" role="status">
      {text !== '' && works && (
        <>
          {countLabel(works.length, 'work is', 'works are')} highlighted.{' '}
          <a
            href={toAddress({ ...mapView.value, text: '' })}
            onClick={(event) => {
              event.preventDefault()
              ask({ text: '' })
            }}
          >
            Show all
          </a>
        </>
      )}
    </p>
  )
}

function Legend({ points }: { readonly points: Points }) {
  const { legend } = scaleOf(points.data, mapView.value.by)
  return (
    <ul class="legend" aria-label="Colours of the points">
      {mapView.value.by === 'family' && <li class="lead">Strongest kind of tag:</li>}
      {legend.map(({ variable, label }) => (
        <li key={label}>
          <i class={`ink-of${variable}`} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  )
}
