/** The lists of the AniList user and of users who show theirs to everybody, with the client that reads them. */
import { createTokenReader } from '../../data/anilist/access-token.js'
import { createAnilistClient } from '../../data/anilist/client.js'
import { createFileLists } from '../../data/anilist/file-lists.js'
import { readPublicList } from '../../data/anilist/public-list.js'
import {
  createUserLists,
  type UserLists,
  type UserListsOptions,
} from '../../data/anilist/user-lists.js'
import type { FileEntry } from '../../data/anilist/list-text.js'
import type { Logger } from '../../data/anilist/logger.js'
import type { WorkDataset } from '../../data/catalogue/catalogue.js'
import type { ServerSettings } from '../../base/config/settings.js'

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

/** Reads the lists of an AniList user by name, see readPublicList. */
type PublicLists = (
  dataset: WorkDataset,
  userName: string,
  signal?: AbortSignal,
) => Promise<readonly FileEntry[]>

/** Somebody waits for it, so a wait of a minute at the rate limit fails at once. */
const publicDeadlineMs = 10_000

/** Undefined without `--anilist-users on`. */
export function openPublicLists(
  {
    graphqlUrl: url,
    anilistConfig: configPath,
    anilistUsers,
  }: Pick<ServerSettings, 'graphqlUrl' | 'anilistConfig' | 'anilistUsers'>,
  logger: Logger,
): PublicLists | undefined {
  if (anilistUsers === 'off') return undefined
  const client = createAnilistClient({ url, configPath, logger })
  return (dataset, userName, signal) =>
    readPublicList(client, dataset, userName, { deadlineMs: publicDeadlineMs, signal })
}
