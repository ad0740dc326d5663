/** Addresses of an entry at other sites: by the ids that the catalogue knows, and as it names them. */
import {
  isWorkDataset,
  type DatasetName,
  type WorkDataset,
} from '../../data/catalogue/catalogue.js'

export interface Link {
  readonly site: string
  readonly url: string
}

/** By the metadata's member; `id` is replaced by its value. */
const sites: Readonly<
  Record<string, { readonly site: string } & Partial<Record<WorkDataset, string>>>
> = {
  malId: {
    site: 'MyAnimeList',
    anime: 'https://myanimelist.net/anime/id',
    manga: 'https://myanimelist.net/manga/id',
  },
  anilistId: {
    site: 'AniList',
    anime: 'https://anilist.co/anime/id',
    manga: 'https://anilist.co/manga/id',
  },
  kitsuId: {
    site: 'Kitsu',
    anime: 'https://kitsu.app/anime/id',
    manga: 'https://kitsu.app/manga/id',
  },
  anidbId: { site: 'AniDB', anime: 'https://anidb.net/anime/id' },
  mangaUpdatesId: {
    site: 'MangaUpdates',
    manga: 'https://www.mangaupdates.com/series.html?id=id',
  },
}

export function linksOf(dataset: DatasetName, metadata: Readonly<Record<string, unknown>>): Link[] {
  const byId = Object.entries(sites).flatMap(([member, { site, ...addresses }]) => {
    const address = isWorkDataset(dataset) ? addresses[dataset] : undefined
    const id = metadata[member]
    const isId = typeof id === 'number' && Number.isSafeInteger(id) && id > 0
    return isId && address !== undefined ? [{ site, url: address.replace(/id$/, String(id)) }] : []
  })
  const named = Array.isArray(metadata.links) ? metadata.links.flatMap(namedLink) : []
  const links = [...byId, ...named]
  // The page that a source names for itself is often one of these.
  const known = new Set(links.map(({ url }) => new URL(url).host))
  const own = namedLink({ url: metadata.url }).filter(({ url }) => !known.has(new URL(url).host))
  return [...links, ...own]
}

/** Only https, and no name or password: an address in a catalogue may be anything, and people click it. */
function namedLink(link: unknown): Link[] {
  if (typeof link !== 'object' || link === null) return []
  const { site, url } = link as Readonly<Record<string, unknown>>
  if (typeof url !== 'string' || !URL.canParse(url)) return []
  const { protocol, host, href, username, password } = new URL(url)
  if (protocol !== 'https:' || username !== '' || password !== '') return []
  return [{ site: typeof site === 'string' && site !== '' ? site : host, url: href }]
}
