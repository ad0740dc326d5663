/** Rows of the settings table: the AniList client. */
import { httpUrl, path } from './schemas.js'
import { row } from './setting.js'

export const anilistRows = {
  graphqlUrl: row(
    httpUrl,
    'https://graphql.anilist.co',
    '<url>',
    'Address of the AniList GraphQL endpoint.',
  ),
  anilistConfig: row(
    path,
    'config.json',
    '<file>',
    'JSON file that holds the AniList ACCESS_TOKEN.',
  ),
} as const
