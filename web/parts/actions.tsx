/** Where to go from a work. */
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
      {links.filter(isWebAddress).map(({ site, url }) => (
        <a key={url} class="site" href={url} rel="noopener noreferrer external" target="_blank">
          {site}
          <span class="hidden"> (another site, in a new tab)</span>
        </a>
      ))}
    </>
  )
}

/** Whatever a catalogue holds, a link of this page runs nothing. */
function isWebAddress({ url }: { readonly url: string }): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
