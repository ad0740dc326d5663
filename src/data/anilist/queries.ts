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

/** As `listQuery`, of the user with that name. */
export const userListQuery = `query ($userName: String, $type: MediaType, $chunk: Int, $perChunk: Int) {
  MediaListCollection(userName: $userName, type: $type, chunk: $chunk, perChunk: $perChunk) {
    hasNextChunk
    lists { entries { mediaId status score(format: POINT_10_DECIMAL) media { idMal type } } }
  }
}`

/** One page of a dataset, the best-known works first. `total` and `lastPage` of pageInfo are known to be wrong. */
export const mediaQuery = (dataset: 'anime' | 'manga'): string =>
  pageQuery(dataset, '$page: Int, $perPage: Int', 'sort: POPULARITY_DESC')

/** The works with these ids, at most a page of them. */
export const mediaByIdsQuery = (dataset: 'anime' | 'manga'): string =>
  pageQuery(dataset, '$page: Int, $perPage: Int, $ids: [Int]', 'id_in: $ids, sort: ID')

function pageQuery(dataset: 'anime' | 'manga', variables: string, selection: string): string {
  return `query (${variables}) {
  Page(page: $page, perPage: $perPage) {
    pageInfo { hasNextPage }
    media(type: ${dataset === 'anime' ? 'ANIME' : 'MANGA'}, ${selection}) {
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
      coverImage { large }
      siteUrl
      ${dataset === 'anime' ? 'episodes\n      duration' : 'volumes'}
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
