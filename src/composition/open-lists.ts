/** The lists of the AniList user, with the client that reads them. */
import { createTokenReader } from '../anilist/access-token.js'
import { createAnilistClient } from '../anilist/client.js'
import { createFileLists } from '../anilist/file-lists.js'
import { createUserLists, type UserLists, type UserListsOptions } from '../anilist/user-lists.js'
import type { ServerSettings } from '../config/settings.js'

export type ListsSettings = Pick<
  ServerSettings,
  'graphqlUrl' | 'anilistConfig' | 'listWait' | 'listsFile'
>

/** Files in place of AniList's lists, where there are any; returns undefined if `--list-wait` is 0 otherwise. */
export function openUserLists(
  { graphqlUrl: url, anilistConfig: configPath, listWait, listsFile }: ListsSettings,
  { logger, ...options }: Omit<UserListsOptions, 'client' | 'readToken' | 'waitMs'>,
): UserLists | undefined {
  const files = listsFile.filter((file) => file !== 'none')
  if (files.length > 0) return createFileLists({ ...options, files, logger })
  if (listWait === 0) return undefined
  return createUserLists({
    ...options,
    logger,
    client: createAnilistClient({ url, configPath, logger, ...options }),
    readToken: createTokenReader(configPath, logger, false),
    waitMs: listWait * 1000,
  })
}
