/**
 * Which entries of a dataset the signed-in user has on a list at AniList. An answer waits for it for a
 * bounded time and no longer: what is not known by then counts as not on a list, and is said so.
 */
import { createTokenReader } from './access-token.js'
import { createAnilistClient } from './client.js'
import { systemClock, type Clock } from '../util/clock.js'
import { createListReader, type ListStatus, type UserList } from './list-status.js'
import type { Logger } from './logger.js'
import { datasetNames, type Catalogue, type DatasetName } from '../catalogue/catalogue.js'

export interface ListStatuses {
  /** Status by row; what is not on a list is not in the map. */
  readonly statuses: ReadonlyMap<number, ListStatus>
  /** Why entries may be missing; null where the list is whole. */
  readonly note: string | null
}

export interface UserLists {
  /** Undefined where no access token is set. Never rejects, and waits no longer than `waitMs`. */
  lookUp(dataset: DatasetName): Promise<ListStatuses | undefined>
  /** Gives up what is being read. */
  close(): void
}

export interface UserListsOptions {
  readonly catalogue: Pick<Catalogue, 'rowsOfSite'>
  /** Address of the GraphQL endpoint. */
  readonly url: string
  /** JSON file whose ACCESS_TOKEN is the bearer token. */
  readonly configPath: string
  readonly waitMs: number
  readonly logger: Logger
  readonly clock?: Clock
}

/** Searches see within that time that a token was set, renewed or taken away. */
export const tokenFreshMs = 1000

/** After a read that failed nobody waits for another one until then. */
export const pauseAfterFailureMs = 30_000

export function createUserLists(options: UserListsOptions): UserLists {
  const { catalogue, url, configPath, waitMs, logger, clock = systemClock } = options
  const closing = new AbortController()
  // That requests go out unsigned is no news here: without a token there are none.
  const readToken = createTokenReader(configPath, { ...bound(logger), info: () => undefined })
  let cachedToken:
    { readonly token: ReturnType<typeof readToken>; readonly readAt: number } | undefined
  /** Opening a file costs the event loop more than most of a search does. */
  const readFresh = () => {
    const now = clock.now()
    const isFresh =
      cachedToken !== undefined &&
      now >= cachedToken.readAt &&
      now < cachedToken.readAt + tokenFreshMs
    if (cachedToken === undefined || !isFresh) cachedToken = { token: readToken(), readAt: now }
    return cachedToken.token
  }
  const client = createAnilistClient({ url, configPath, logger, clock })
  const lists = new Map(
    datasetNames.map((dataset) => {
      const read = createListReader({ client, dataset, logger, clock, signal: closing.signal })
      const rowsOf = (list: UserList) => statusesOf(catalogue, dataset, list)
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
  note: 'The lists at AniList could not be read; entries count as not on a list.',
}

function boundWait({ read, rowsOf, waitMs, clock }: Bound): () => Promise<ListStatuses> {
  const known = new WeakMap<UserList, ListStatuses>()
  let reading: { readonly statuses_: Promise<ListStatuses>; readonly until: number } | undefined
  let pausedUntil = 0

  async function readRows(): Promise<ListStatuses> {
    const list = await read()
    if (!list.whole) {
      pausedUntil = clock.now() + pauseAfterFailureMs
      return { ...failed, statuses: rowsOf(list) }
    }
    // The same list is read again and again while it is fresh.
    const statuses_ = known.get(list) ?? { statuses: rowsOf(list), note: null }
    known.set(list, statuses_)
    return statuses_
  }

  return async () => {
    if (reading === undefined) {
      if (clock.now() < pausedUntil) return failed
      const statuses_ = readRows()
        .catch(() => failed)
        .finally(() => (reading = undefined))
      reading = { statuses_, until: clock.now() + waitMs }
    }
    // Who comes later waits no longer than who came first.
    return firstOf(reading.statuses_, reading.until - clock.now(), clock)
  }
}

async function firstOf(
  statuses_: Promise<ListStatuses>,
  waitMs: number,
  clock: Clock,
): Promise<ListStatuses> {
  const settled = new AbortController()
  const late = clock.sleep(Math.max(0, waitMs), settled.signal).then(
    () => failed,
    () => failed,
  )
  const first = await Promise.race([statuses_, late])
  settled.abort()
  return first
}

function statusesOf(
  catalogue: Pick<Catalogue, 'rowsOfSite'>,
  dataset: DatasetName,
  { entries }: UserList,
): ReadonlyMap<number, ListStatus> {
  const statuses = new Map<number, ListStatus>()
  for (const { mediaId, malId, status } of entries.values()) {
    const rows = [
      ...catalogue.rowsOfSite(dataset, 'anilist', mediaId),
      ...(malId === null ? [] : catalogue.rowsOfSite(dataset, 'mal', malId)),
    ]
    for (const row of rows) statuses.set(row, status)
  }
  return statuses
}

/** A logger of pino's loses itself when its methods are spread. */
const bound = (logger: Logger): Logger => ({
  debug: (fields, message) => logger.debug(fields, message),
  info: (fields, message) => logger.info(fields, message),
  warn: (fields, message) => logger.warn(fields, message),
  error: (fields, message) => logger.error(fields, message),
})

/** What a search has to say of the lists. */
export function listNotes(
  statuses_: ListStatuses | undefined,
  isExcluding: boolean | undefined,
): string[] {
  if (statuses_ !== undefined) return statuses_.note === null ? [] : [statuses_.note]
  return isExcluding ? ['No AniList access token is set, so nothing is left out.'] : []
}
