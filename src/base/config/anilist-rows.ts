/** Rows of the settings table: the AniList client. */
import { httpUrl, listOf, number, oneOf, path } from './schemas.js'
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

/** Those of a server. */
export const listRows = {
  listWait: row(
    number(0, 60),
    1,
    '<s>',
    "Seconds that a search waits for the user's AniList lists. 0 disables the lists.",
  ),
  listsFile: row(
    listOf((file) => file !== '', 'none, or a list of files'),
    'none',
    '<list>',
    "Files with a person's lists, exported from MyAnimeList (XML) or AniList (JSON), in place of AniList's.",
  ),
  anilistUsers: row(
    oneOf(['on', 'off'] as const),
    'off',
    '<on|off>',
    'Whether people may load the public lists of an AniList user by name. The server then requests them from AniList.',
  ),
} as const
