/** The lists of the AniList user, with the client that reads them. */
import { createTokenReader } from '../anilist/access-token.js'
import { createAnilistClient } from '../anilist/client.js'
import { createUserLists, type UserLists, type UserListsOptions } from '../anilist/user-lists.js'
import type { ServerSettings } from '../config/settings.js'

export type ListsSettings = Pick<ServerSettings, 'graphqlUrl' | 'anilistConfig' | 'listWait'>

/** Returns undefined if `--list-wait` is 0. */
export function openUserLists(
  { graphqlUrl: url, anilistConfig: configPath, listWait }: ListsSettings,
  { logger, ...options }: Omit<UserListsOptions, 'client' | 'readToken' | 'waitMs'>,
): UserLists | undefined {
  if (listWait === 0) return undefined
  return createUserLists({
    ...options,
    logger,
    client: createAnilistClient({ url, configPath, logger, ...options }),
    readToken: createTokenReader(configPath, logger, false),
    waitMs: listWait * 1000,
  })
}
