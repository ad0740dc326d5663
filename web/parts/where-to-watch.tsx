/** Sites of a work's links that show it or sell it, apart from those that tell of it. */
import type { DatasetName } from '../lib/query.js'
import type { Entry } from '../lib/types.js'
import { SiteLinks } from './actions.js'

/** Parts of hosts. */
const watchHosts =
  /(?:^|\.)(?:crunchyroll|netflix|hulu|primevideo|amazon|disneyplus|hidive|funimation|youtube|youtu|bilibili|iq|wakanim|animelab|tubitv|retrocrush|max|hbomax|vrv|apple|viz|mangaplus|kodansha|yenpress|bookwalker|comixology|webtoons|tapas|tappytoon|lezhin|kmanga|azuki|mangaup|j-novel|inkr|manga)\.[a-z.]+$/

const isWatchLink = ({ url }: { readonly url: string }): boolean =>
  URL.canParse(url) && watchHosts.test(new URL(url).hostname)

interface WhereProps {
  readonly dataset: DatasetName
  readonly links: Entry['links']
}

const headings: Readonly<Record<DatasetName, string>> = {
  anime: 'Where to watch',
  manga: 'Where to read',
}

export function WhereToWatch({ dataset, links }: WhereProps) {
  const own = links.filter(isWatchLink)
  if (own.length === 0) return null
  return (
    <section>
      <h2>{headings[dataset] ?? 'Where to find it'}</h2>
      <p class="work-actions">
        <SiteLinks links={own} />
      </p>
    </section>
  )
}
