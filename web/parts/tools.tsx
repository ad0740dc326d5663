/** The same search for programs. */
import { useState } from 'preact/hooks'
import { asCurl, type SearchCall } from '../lib/api.js'
import { mapHref } from '../state/map-href.js'
import { has } from '../lib/server.js'

export function Tools({ call }: { readonly call: SearchCall }) {
  const [copied, setCopied] = useState<'' | 'Copied' | 'This browser does not allow copying here'>(
    '',
  )
  const copy = () => {
    copyText(asCurl(call)).then(
      () => setCopied('Copied'),
      () => setCopied('This browser does not allow copying here'),
    )
    setTimeout(() => setCopied(''), 2500)
  }
  const kind = call.path.startsWith('search/') ? 'search' : 'recommend'
  const tag = kind === 'search' ? 'Search' : 'More%20like%20this'
  const operation = `${kind}${call.dataset === 'manga' ? 'Manga' : 'Anime'}`
  return (
    <p class="tools">
      <button type="button" class="plain" onClick={copy}>
        Copy as curl
      </button>
      {has('map') && call.body.query && (
        <a href={mapHref({ text: call.body.query ?? '' })}>Show on the map</a>
      )}
      {has('docs') && <a href={`docs#/${tag}/${operation}`}>Open in the API reference</a>}
      <span role="status">{copied}</span>
    </p>
  )
}

/** The clipboard is there only on https and on this machine itself. */
function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard }
  return clipboard?.writeText(text) ?? Promise.reject(new Error('there is no clipboard'))
}
