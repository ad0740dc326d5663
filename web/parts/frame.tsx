/** What stands above and below everything. */
import { datasets, has, server } from '../lib/server.js'
import { countLabel } from '../lib/words.js'
import { mapHref } from '../state/map-href.js'
import { SourceList } from './sources.js'
import { AppLink } from './app-link.js'

export function Masthead() {
  return (
    <header class="masthead">
      <AppLink class="wordmark" change={{ text: '', work: undefined, ignore: [] }}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="3" />
          <circle cx="14" cy="14" r="6.2" />
          <path d="m18.8 18.8 5.4 5.4" />
        </svg>
        Synoptic
      </AppLink>
      <nav aria-label="Of this server">
        {has('map') && <a href={mapHref({})}>Map</a>}
        {has('status') && <a href="status">Status</a>}
        {has('docs') && <a href="docs">API reference</a>}
      </nav>
    </header>
  )
}

/** Where the included works say whose they are. */
const includedWorks = 'data/works/README.md'

export function Footer() {
  const counts = datasets.flatMap((name) => {
    const count = server.datasets[name]
    return count === undefined ? [] : [countLabel(count, name, name)]
  })
  return (
    <footer class="foot">
      <p>
        {counts.length > 0 && <>{counts.join(' and ')} on this server. </>}
        What you type stays on it.
        {server.sources.some(({ url }) => url === includedWorks) &&
          ' Language models wrote the texts of the included works.'}
      </p>
      {server.sources.length > 0 && (
        <details>
          <summary>Sources and licences</summary>
          <SourceList sources={server.sources} />
        </details>
      )}
      <p class="keys">
        <kbd>/</kbd> to the box, <kbd>↑</kbd> <kbd>↓</kbd> from result to result, <kbd>Enter</kbd>{' '}
        opens, <kbd>Esc</kbd> goes back
      </p>
    </footer>
  )
}
