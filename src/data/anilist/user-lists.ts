/**
 * Which entries of a dataset the AniList user has on a list. A search waits for the lists for a bounded
 * time. If they are not there by then, its entries count as not on a list, and a note says so.
 */
import type { AnilistClient } from './client.js'
import { systemClock, type Clock } from '../../base/util/clock.js'
import type { FileEntry } from './list-file.js'
import { createListReader, type ListStatus, type UserList } from './list-status.js'
import type { Logger } from './logger.js'
import { workDatasets, type Catalogue, type DatasetName } from '../catalogue/catalogue.js'

export interface ListStatuses {
  /** Status by row; a row that is on no list is not in the map. */
  readonly statuses: ReadonlyMap<number, ListStatus>
  /** Why entries may be missing; null if the lists were read completely. */
  readonly note: string | null
}

export interface UserLists {
  /** Resolves to undefined without an access token. Never rejects, and takes at most `waitMs`. */
  lookUp(dataset: DatasetName): Promise<ListStatuses | undefined>
  /** Aborts reads in progress. */
  close(): void
}

export interface UserListsOptions {
  readonly catalogue: Pick<Catalogue, 'rowsOfSite'>
  readonly client: AnilistClient
  /** The access token; null if none is set. */
  readonly readToken: () => Promise<string | null>
  readonly waitMs: number
  readonly logger: Logger
  readonly clock?: Clock
}

/** A changed token takes effect after at most this long. */
export const tokenFreshMs = 1000

/** After a failed read no search waits for this long. */
export const pauseAfterFailureMs = 30_000

export function createUserLists(options: UserListsOptions): UserLists {
  const { catalogue, client, readToken, waitMs, logger, clock = systemClock } = options
  const closing = new AbortController()
  let cachedToken:
    | { readonly token: ReturnType<typeof readToken>; readonly readAt: number }
    | undefined
  /** Opening the file blocks the event loop for longer than most of a search. */
  const readFresh = () => {
    const now = clock.now()
    const isFresh =
      cachedToken !== undefined &&
      now >= cachedToken.readAt &&
      now < cachedToken.readAt + tokenFreshMs
    if (cachedToken === undefined || !isFresh) cachedToken = { token: readToken(), readAt: now }
    return cachedToken.token
  }
  const lists = new Map<DatasetName, () => Promise<ListStatuses>>(
    workDatasets.map((dataset) => {
      const read = createListReader({ client, dataset, logger, clock, signal: closing.signal })
      const rowsOf = (list: UserList) => statusesOf(catalogue, dataset, list.entries.values())
      return [dataset, boundWait({ read, rowsOf, waitMs, clock })] as const
    }),
  )
  return {
    async lookUp(dataset) {
      if ((await readFresh()) === null) return undefined
      return lists.get(dataset)?.()
    },
    close: () => closing.abort(),
  }
}

interface Bound {
  readonly read: () => Promise<UserList>
  readonly rowsOf: (list: UserList) => ReadonlyMap<number, ListStatus>
  readonly waitMs: number
  readonly clock: Clock
}

const failed: ListStatuses = {
  statuses: new Map(),
  note: 'The lists at AniList could not be read. Entries count as not on a list.',
}

function boundWait({ read, rowsOf, waitMs, clock }: Bound): () => Promise<ListStatuses> {
  const cache = new WeakMap<UserList, ListStatuses>()
  let reading: { readonly statuses: Promise<ListStatuses>; readonly until: number } | undefined
  let pausedUntil = 0

  async function readRows(): Promise<ListStatuses> {
    const list = await read()
    if (!list.whole) {
      pausedUntil = clock.now() + pauseAfterFailureMs
      return { ...failed, statuses: rowsOf(list) }
    }
    // The reader returns the same list while it is fresh.
    const statuses = cache.get(list) ?? { statuses: rowsOf(list), note: null }
    cache.set(list, statuses)
    return statuses
  }

  return async () => {
    if (reading === undefined) {
      if (clock.now() < pausedUntil) return failed
      const statuses = readRows()
        .catch(() => failed)
        .finally(() => (reading = undefined))
      reading = { statuses, until: clock.now() + waitMs }
    }
    // All searches that wait for one read share its time limit.
    return firstOf(reading.statuses, reading.until - clock.now(), clock)
  }
}

async function firstOf(
  statuses: Promise<ListStatuses>,
  waitMs: number,
  clock: Clock,
): Promise<ListStatuses> {
  const settled = new AbortController()
  const late = clock.sleep(Math.max(0, waitMs), settled.signal).then(
    () => failed,
    () => failed,
  )
  const first = await Promise.race([statuses, late])
  settled.abort()
  return first
}

/** Status of each row that is one of the works. */
export function statusesOf(
  catalogue: Pick<Catalogue, 'rowsOfSite'>,
  dataset: DatasetName,
  entries: Iterable<Pick<FileEntry, 'mediaId' | 'malId' | 'status'>>,
): ReadonlyMap<number, ListStatus> {
  const statuses = new Map<number, ListStatus>()
  for (const { mediaId, malId, status } of entries) {
    const rows = [
      ...(mediaId === null ? [] : catalogue.rowsOfSite(dataset, 'anilist', mediaId)),
      ...(malId === null ? [] : catalogue.rowsOfSite(dataset, 'mal', malId)),
    ]
    for (const row of rows) statuses.set(row, status)
  }
  return statuses
}

/** What the response of a search says about the lists. */
export function listNotes(
  userLists: ListStatuses | undefined,
  isExcluding: boolean | undefined,
): string[] {
  if (userLists !== undefined) return userLists.note === null ? [] : [userLists.note]
  return isExcluding ? ['No AniList access token is set, so no entry is excluded.'] : []
}
