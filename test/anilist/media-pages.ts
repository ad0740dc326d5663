/** Pages of media as AniList would answer them, out of a made-up dataset. */
import type { Answer, Received } from './graphql-server.js'

/** A medium with every requested member; `id` distinguishes one from another. */
export function medium(id: number, members: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    idMal: id + 1000,
    title: { romaji: `Romaji ${id}`, english: `English ${id}`, native: `題 ${id}` },
    synonyms: [`Also ${id}`],
    format: 'TV',
    startDate: { year: 1990 + (id % 30) },
    genres: ['Drama', 'Sci-Fi'],
    tags: [
      { name: 'Space', rank: 91, isMediaSpoiler: false },
      { name: 'Primarily Adult Cast', rank: 85, isMediaSpoiler: false },
      { name: 'Time Loop', rank: 55, isMediaSpoiler: true },
    ],
    relations: {
      edges: [
        { relationType: 'SEQUEL', node: { id: id + 1, type: 'ANIME' } },
        { relationType: 'ADAPTATION', node: { id: id + 2, type: 'MANGA' } },
        { relationType: 'PREQUEL', node: { id: id + 3, type: 'MANGA' } },
        { relationType: 'CHARACTER', node: { id: id + 4, type: 'ANIME' } },
      ],
    },
    coverImage: { large: `https://img.example/${id}.jpg` },
    siteUrl: `https://anilist.co/anime/${id}`,
    description: `Story of number ${id}.<br><br>(Source: the author)`,
    episodes: 12,
    duration: 24,
    averageScore: 71,
    popularity: 5000,
    isAdult: false,
    countryOfOrigin: 'JP',
    source: 'LIGHT_NOVEL',
    studios: { nodes: [{ name: 'Studio A' }] },
    ...members,
  }
}

export function pageAnswer(media: readonly unknown[], hasNextPage: boolean): Answer {
  return { body: { data: { Page: { pageInfo: { hasNextPage }, media } } } }
}

/** Answers requests for pages of works with ids 1 to `total`. */
export function servePages(total: number): (request: Received) => Answer {
  return ({ body }) => {
    const { page, perPage } = body.variables as { page: number; perPage: number }
    const first = (page - 1) * perPage
    const count = Math.max(0, Math.min(perPage, total - first))
    const media = Array.from({ length: count }, (_, index) => medium(first + index + 1))
    return pageAnswer(media, first + count < total)
  }
}

export function pageOf({ body }: Received): unknown {
  return body.variables?.page
}
