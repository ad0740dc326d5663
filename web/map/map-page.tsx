/** The page of the map. */
import { useEffect } from 'preact/hooks'
import { has } from '../lib/server.js'
import { Controls } from './controls.js'
import { InView } from './in-view.js'
import { Plane } from './plane.js'
import { mapView, map } from './state.js'

export function MapPage() {
  useEffect(listenToKeys, [])
  const state = map.value
  const points = state.status === 'done' ? state.points : undefined
  return (
    <>
      {points && (
        <a class="skip" href="#in-view">
          Skip to what is in view
        </a>
      )}
      <header class="masthead">
        <a class="wordmark" href="./">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="3" />
            <circle cx="14" cy="14" r="6.2" />
            <path d="m18.8 18.8 5.4 5.4" />
          </svg>
          Synoptic
        </a>
        <nav aria-label="Of this server">
          <a href="./">Search</a>
          {has('status') && <a href="status">Status</a>}
        </nav>
      </header>
      <main class="map">
        <h1>All {mapView.value.dataset.replaceAll('-', ' ')}, by what they are like</h1>
        <Controls points={points} />
        {points ? (
          <div class="map-columns">
            <Plane points={points} />
            <div id="in-view" tabIndex={-1}>
              <InView points={points} />
              {points.data.unplaced > 0 && (
                <p class="aside">
                  {points.data.unplaced.toLocaleString('en')} works without texts and tags are not
                  on the map.
                </p>
              )}
            </div>
          </div>
        ) : (
          <Waiting />
        )}
      </main>
    </>
  )
}

function Waiting() {
  const state = map.value
  const { dataset } = mapView.value
  if (state.status === 'missing') {
    return (
      <div class="state" role="alert">
        <h2>There is no map of these works yet.</h2>
        <p>
          A server makes it after its first start, and this page shows it as soon as it is there. If
          you run this server, you can also make it with this command:
        </p>
        <pre tabIndex={0}>
          <code>synoptic embed build --map --dataset {dataset}</code>
        </pre>
      </div>
    )
  }
  if (state.status === 'failed') {
    return (
      <div class="state" role="alert">
        <h2>The map could not be loaded.</h2>
        <p>{state.error.message} The page tries again every few seconds.</p>
        {state.error.problem && (
          <p class="aside">
            The server’s log says more under <code>{state.error.problem.requestId}</code>.
          </p>
        )}
      </div>
    )
  }
  return (
    <div class="plane-frame waiting" aria-busy="true">
      <p role="status">Loading the map…</p>
    </div>
  )
}

/** `/` leads to the box, as on every page. */
function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : document.body
    if (event.key !== '/' || target.matches('input, textarea, select')) return
    event.preventDefault()
    document.getElementById('box')?.focus()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
