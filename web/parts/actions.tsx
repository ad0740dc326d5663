/** Where to go from a work. */
import { isWebAddress } from '../lib/web-address.js'
import { query, searchFor } from '../state/navigation.js'

export function LikeActions({ title }: { readonly title: string }) {
  const { text } = query.value
  const notLike = `${text}, not like ${title}`
  return (
    <>
      <button type="button" class="plain" onClick={() => searchFor(`like ${title}`)}>
        More like this
      </button>
      {text !== '' && notLike.length <= 2000 && (
        <button type="button" class="plain" onClick={() => searchFor(notLike)}>
          Not like this
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
