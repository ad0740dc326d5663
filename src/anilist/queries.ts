/** The GraphQL documents that are sent. */

export const viewerQuery = 'query { Viewer { id name } }'

/**
 * `perChunk` is at most 500. Where `chunk` starts is not documented: 0 is the first or the same as
 * the first, so who starts there misses nothing.
 */
export const listQuery = `query ($userId: Int, $type: MediaType, $chunk: Int, $perChunk: Int) {
  MediaListCollection(userId: $userId, type: $type, chunk: $chunk, perChunk: $perChunk) {
    hasNextChunk
    lists { entries { mediaId status media { idMal } } }
  }
}`

/**
 * One page of a dataset. Ordered by id: new works are added at the end, so pages keep their
 * contents between two runs. `total` and `lastPage` of pageInfo are known to be wrong.
 */
export function mediaQuery(dataset: 'anime' | 'manga'): string {
  return `query ($page: Int, $perPage: Int) {
  Page(page: $page, perPage: $perPage) {
    pageInfo { hasNextPage }
    media(type: ${dataset === 'anime' ? 'ANIME' : 'MANGA'}, sort: ID) {
      id
      idMal
      title { romaji english native }
      synonyms
      format
      startDate { year }
      genres
      tags { name rank isMediaSpoiler }
      relations { edges { relationType(version: 2) node { id type } } }
      description(asHtml: false)
      ${dataset === 'anime' ? 'episodes' : 'volumes'}
      averageScore
      popularity
      isAdult
      countryOfOrigin
      source(version: 3)
      ${dataset === 'anime' ? animeMakers : mangaMakers}
    }
  }
}`
}

const animeMakers = 'studios(isMain: true) { nodes { name } }'
const mangaMakers = 'staff(sort: RELEVANCE, perPage: 10) { edges { role node { name { full } } } }'
