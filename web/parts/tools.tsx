/** The same search for programs. */
import { useState } from 'preact/hooks'
import { asCurl, type SearchCall } from '../lib/api.js'
import { mapHref } from '../state/map-href.js'
import { has } from '../lib/server.js'

export function Tools({ call }: { readonly call: SearchCall }) {
  const [copied, setCopied] = useState<'' | 'Copied' | 'Copying is not allowed here'>('')
  const copy = () => {
    copyText(asCurl(call)).then(
      () => setCopied('Copied'),
      () => setCopied('Copying is not allowed here'),
    )
    setTimeout(() => setCopied(''), 2500)
  }
  const operation = call.path.startsWith('search/manga') ? 'searchManga' : 'searchAnime'
  return (
    <p class="tools">
      <button type="button" class="plain" onClick={copy}>
        Copy as curl
      </button>
      {has('map') && <a href={mapHref({ text: call.body.query })}>Show on the map</a>}
      {has('docs') && <a href={`docs#/Search/${operation}`}>Open in the API reference</a>}
      <span role="status">{copied}</span>
    </p>
  )
}

/** The clipboard is there only on https and on this machine itself. */
function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard }
  return clipboard?.writeText(text) ?? Promise.reject(new Error('there is no clipboard'))
}
