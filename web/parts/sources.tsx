/** Whose data is shown, and on which terms: licences ask for their names. */
import type { PageFacts } from '../../src/server/http/routes/page.js'
import { isWebAddress } from '../lib/web-address.js'

export function SourceList({ sources }: Pick<PageFacts, 'sources'>) {
  return (
    <ul class="sources">
      {sources.map(({ name, url, licence, licence_url: licenceUrl, attribution }) => (
        <li key={name}>
          <Site url={url}>{name}</Site>, <Site url={licenceUrl}>{licence}</Site>
          <span dir="auto">{attribution}</span>
        </li>
      ))}
    </ul>
  )
}

/** A catalogue may hold anything; a link of this page runs nothing. */
function Site({ url, children }: { readonly url: string; readonly children: string }) {
  return isWebAddress(url) ? (
    <a href={url} rel="noopener noreferrer external" target="_blank" dir="auto">
      {children}
      <span class="hidden"> (another site, in a new tab)</span>
    </a>
  ) : (
    <span dir="auto">{children}</span>
  )
}
