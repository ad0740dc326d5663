/** Where to go from a work. */
import { isWebAddress } from '../lib/web-address.js'
import { has } from '../lib/server.js'
import type { DatasetName } from '../lib/query.js'
import { query, refine } from '../state/navigation.js'

interface LikeActionsProps {
  readonly dataset: DatasetName
  readonly id: number
}

/** Results that are more, or less, like a work. */
export function LikeActions({ dataset, id }: LikeActionsProps) {
  if (!has('similar')) return null
  return (
    <>
      <button type="button" class="plain" onClick={() => refine(dataset, id, 'more')}>
        More like this
      </button>
      {query.value.work === undefined && (
        <button type="button" class="plain" onClick={() => refine(dataset, id, 'less')}>
          Less like this
        </button>
      )}
    </>
  )
}

interface SiteLinksProps {
  readonly links?: readonly { readonly site: string; readonly url: string }[] | undefined
}

export function SiteLinks({ links = [] }: SiteLinksProps) {
  return (
    <>
      {links
        .filter(({ url }) => isWebAddress(url))
        .map(({ site, url }) => (
          <a key={url} class="site" href={url} rel="noopener noreferrer external" target="_blank">
            {site}
            <span class="hidden"> (another site, in a new tab)</span>
          </a>
        ))}
    </>
  )
}
