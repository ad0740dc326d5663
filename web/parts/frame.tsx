/** The head and the foot of the page. */
import { datasets, has, server } from '../lib/server.js'
import { countLabel } from '../lib/words.js'
import { mapHref } from '../state/map-href.js'
import { isListOpen } from '../state/my-list.js'
import { SourceList } from './sources.js'
import { AppLink } from './app-link.js'

export function Masthead() {
  return (
    <header class="masthead">
      <AppLink
        class="wordmark"
        change={{ text: '', work: undefined, ignore: [], more: [], less: [], forMe: false }}
      >
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="3" />
          <circle cx="14" cy="14" r="6.2" />
          <path d="m18.8 18.8 5.4 5.4" />
        </svg>
        Synoptic
      </AppLink>
      <nav aria-label="On this server">
        {has('browse') && has('similar') && (
          <button type="button" onClick={() => (isListOpen.value = true)}>
            My list
          </button>
        )}
        {has('map') && <a href={mapHref({})}>Map</a>}
        <ServerLinks class="wide" />
      </nav>
    </header>
  )
}

/** On a phone they are in the foot. */
function ServerLinks({ class: name }: { readonly class: string }) {
  return (
    <>
      {has('status') && (
        <a class={name} href="status">
          Status
        </a>
      )}
      {has('docs') && (
        <a class={name} href="docs">
          API reference
        </a>
      )}
    </>
  )
}

const coverSites: Readonly<Record<string, string>> = {
  anilist: 'AniList',
  myanimelist: 'MyAnimeList',
  catalogue: 'the sites that the catalogue names',
}

const siteNames = (): string =>
  new Intl.ListFormat('en').format(
    server.covers.map(({ site }) => coverSites[site] ?? new URL(site).host),
  )

/** The file that names the authors of the built-in works. */
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
        What you type stays there.
        {server.sources.some(({ url }) => url === includedWorks) &&
          ' Language models wrote the texts of the built-in works.'}
      </p>
      {server.covers.length > 0 && (
        <p>
          Covers come from {siteNames()}, which {server.covers.length > 1 ? 'see' : 'sees'} which
          ones you load. They belong to their owners.
        </p>
      )}
      {server.sources.length > 0 && (
        <details>
          <summary>Sources and licences</summary>
          <SourceList sources={server.sources} />
        </details>
      )}
      <p class="phone">
        <ServerLinks class="" />
      </p>
      <p class="keys">
        <kbd>/</kbd> search, <kbd>↑</kbd> <kbd>↓</kbd> next result, <kbd>Enter</kbd> open,{' '}
        <kbd>Esc</kbd> back
      </p>
    </footer>
  )
}
