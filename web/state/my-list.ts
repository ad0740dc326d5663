/** The list of works that somebody has seen and rated. It stays in this browser. */
import { computed, signal } from '@preact/signals'
import { fetchIds, fetchUserList, type Known } from '../lib/api.js'
import { readList } from '../lib/read-list.js'
import type { DatasetName } from '../lib/query.js'
import { keep, readKept } from '../lib/storage.js'
import { isSeen, tasteOf, type ListedWork } from '../lib/taste.js'
import { datasets, withLists } from '../lib/server.js'
import { query } from './navigation.js'

type MyList = Readonly<Record<DatasetName, readonly ListedWork[]>>

const place = 'synoptic-list'
const hidePlace = 'synoptic-hide-seen'

export const myList = signal<MyList>((readKept(place) ?? {}) as MyList)
/** Whether results leave out what somebody has seen. */
export const hidesSeen = signal(readKept(hidePlace) === true)

/** Whether the dialog of the list is open. */
export const isListOpen = signal(false)

export const hasList = computed(() => Object.values(myList.value).some(({ length }) => length > 0))

export function hideSeen(hides: boolean): void {
  hidesSeen.value = hides
  keep(hidePlace, hides)
}

export function forgetList(): void {
  myList.value = {}
  keep(place, undefined)
  hideSeen(false)
}

const byId = computed(() =>
  datasets.map((dataset) => ({
    dataset,
    works: new Map((myList.value[dataset] ?? []).map((work) => [work.id, work])),
  })),
)

/** The work as the list has it; undefined where it is not on the list. */
export const listed = (dataset: DatasetName, id: number): ListedWork | undefined =>
  byId.value.find((one) => one.dataset === dataset)?.works.get(id)

/** What a request needs of the list. */
export function knownOf(dataset: DatasetName): Known {
  const list = myList.value[dataset] ?? []
  const { forMe } = query.value
  const hidden = forMe ? list : hidesSeen.value ? list.filter(isSeen) : []
  return {
    ...(forMe ? tasteOf(list) : { liked: [], disliked: [] }),
    hidden: hidden.map(({ id }) => id),
  }
}

/** How many works of a list were found in the catalogue. */
export interface Imported {
  readonly inList: number
  readonly found: number
}

/** Ids of one request. */
const atOnce = 5000

/** Reads an export, and keeps its works that this server has. Rejects with what is wrong with the file. */
export async function importList(file: Blob): Promise<Imported> {
  const entries = await readList(file)
  const found: MyListOf = {}
  for (const dataset of withLists) {
    const own = entries.filter((entry) => (entry.dataset ?? dataset) === dataset)
    found[dataset] = await worksOf(dataset, own)
  }
  return keepFound(entries.length, found)
}

/** The same of the public lists of an AniList user, which the server reads. */
export async function importUser(anilistUser: string): Promise<Imported> {
  const found: MyListOf = {}
  let inList = 0
  for (const dataset of withLists) {
    const { works, total } = await fetchUserList(dataset, anilistUser)
    found[dataset] = works
    inList += total
  }
  return keepFound(inList, found)
}

type MyListOf = Record<DatasetName, readonly ListedWork[]>

async function worksOf(
  dataset: DatasetName,
  entries: Awaited<ReturnType<typeof readList>>,
): Promise<readonly ListedWork[]> {
  const works = new Map<number, ListedWork>()
  for (const site of ['mal', 'anilist'] as const) {
    const idOf = (entry: (typeof entries)[number]) =>
      site === 'mal' ? entry.malId : entry.malId === null ? entry.mediaId : null
    const bySite = new Map(
      entries.flatMap((entry) => {
        const id = idOf(entry)
        return id === null ? [] : [[id, entry] as const]
      }),
    )
    const ids = [...bySite.keys()]
    for (let begin = 0; begin < ids.length; begin += atOnce) {
      for (const { siteId, id } of await fetchIds(
        dataset,
        site,
        ids.slice(begin, begin + atOnce),
      )) {
        const entry = bySite.get(siteId)
        if (entry) works.set(id, { id, status: entry.status, score: entry.score })
      }
    }
  }
  return [...works.values()]
}

/** A list without works of a dataset leaves those that are there. */
function keepFound(inList: number, found: MyListOf): Imported {
  const own = Object.entries(found).filter(([, works]) => works.length > 0)
  if (own.length > 0) {
    myList.value = { ...myList.value, ...Object.fromEntries(own) }
    keep(place, myList.value)
  }
  return { inList, found: own.reduce((sum, [, works]) => sum + works.length, 0) }
}
