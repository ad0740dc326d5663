/** Pending writes as searches of a serving process find them: opened when they change, and closed once nobody reads them. */
import { existsSync } from 'node:fs'
import type { Catalogue, DatasetInfo, DatasetName } from '../../data/catalogue/catalogue.js'
import { openCatalogue } from '../../data/catalogue/open-catalogue.js'
import { embeddingPaths } from '../../data/embed/paths.js'
import {
  pendingFolderOf,
  readPendingState,
  segmentCatalogue,
  segmentEmbeddings,
} from '../../data/writes/pending-state.js'
import type { UserLists } from '../../data/anilist/user-lists.js'
import { createResourceCache } from '../../models/residency/resource-cache.js'
import { builtinModel, type ResolvedModel } from '../../models/registry/registry.js'
import type { MaxSimIndex } from '../../native/addon/max-sim.js'
import { createBrowse } from '../browse/browse.js'
import { createOpenCollection, createOpenTokenIndex } from '../index/open-index.js'
import { createCollectionStore, createStore, type CollectionStore } from '../index/store.js'
import {
  createKnowledge,
  type DatasetKnowledge,
  type SharedWords,
} from '../knowledge/dataset-knowledge.js'
import { joinRows, rowsOfParts, type JoinedPart, type JoinedRows } from '../pending/joined-rows.js'
import { withoutChanged } from '../pending/live-catalogue.js'
import type { SegmentServices } from '../pending/pending-services.js'
import { createPendingView, type PendingView, type Place } from '../pending/pending-view.js'
import { createListEntries } from '../service/list-entries.js'
import { createRankedSearch } from '../service/ranked-service.js'
import { createSearchService, type SearchService } from '../service/service.js'
import { createSearchParts, type SharedParts } from './search-parts.js'

export interface PendingSearch {
  current(): OpenPending | undefined
  /**
   * Reads which writes wait, and searches find them from then on.
   * @param unread resolves once no request reads what was current before
   */
  refresh(unread: () => Promise<unknown>): Promise<void>
  /** Where the entry of a row is, where that is not the row itself. */
  readonly place: (
    dataset: DatasetInfo,
    row: number,
  ) => (Place & { readonly dataset: DatasetInfo }) | undefined
  close(): Promise<void>
}

interface OpenPending {
  readonly view: PendingView
  readonly services: readonly SegmentServices[]
  /** Descriptions, over catalogue and segments as one. */
  readonly similar: SearchService
  readonly rows: JoinedRows
}

interface Segment {
  readonly name: string
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  readonly hasVectors: (name: DatasetName, model: string) => boolean
  /** @param current what hides its rows */
  services(current: () => PendingView | undefined): SegmentServices
  close(): Promise<void>
}

export interface PendingOptions {
  readonly dataDir: string
  readonly resolve: (model: string) => ResolvedModel
  readonly catalogue: Catalogue
  readonly collections: CollectionStore
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
  readonly lists: UserLists | undefined
  readonly words: SharedWords
  readonly shared: SharedParts
}

export function createPendingSearch(options: PendingOptions): PendingSearch {
  const { catalogue, dataDir, lists, shared } = options
  const folder = pendingFolderOf(dataDir, catalogue)
  const known = { datasets: () => catalogue.datasets(), rowOfId: rememberRows(catalogue) }
  let segments: readonly Segment[] = []
  let open: OpenPending | undefined
  let refreshing = Promise.resolve()
  /** Of pending writes that are not current any more, while requests may read them. */
  let places = new WeakMap<DatasetInfo, JoinedRows>()

  async function refreshNow(unread: () => Promise<unknown>): Promise<void> {
    const state = readPendingState(folder)
    if (state === undefined) return
    const next = state.segments.map(
      ({ name }) => segments.find((one) => one.name === name) ?? openSegment(folder, name, options),
    )
    const left = segments.filter((one) => !next.includes(one))
    const view = createPendingView(known, {
      deleted: state.deleted,
      segments: next.map((one, at) => ({
        catalogue: one.catalogue,
        ids: state.segments[at]?.ids ?? {},
      })),
    })
    const isNothing =
      next.length === 0 && Object.values(state.deleted).every((ids = []) => ids.length === 0)
    open = isNothing ? undefined : openView(view, next, options)
    for (const info of open?.rows.catalogue.datasets() ?? []) if (open) places.set(info, open.rows)
    segments = next
    await unread()
    await Promise.all(left.map((one) => one.close()))
  }

  return {
    current: () => open,
    refresh(unread) {
      const done = refreshing.then(() => refreshNow(unread))
      refreshing = done.catch(() => undefined)
      return done
    },
    place(dataset, row) {
      const joined = places.get(dataset)
      if (joined !== undefined) return joined.place(dataset, row)
      const place = open?.view.replacement(dataset.name, row)
      const info = place?.catalogue.dataset(dataset.name)
      return place && info && { ...place, dataset: info }
    },
    async close() {
      await refreshing
      open = undefined
      places = new WeakMap()
      await Promise.all(segments.map((one) => one.close()))
    },
  }

  function openView(
    view: PendingView,
    all: readonly Segment[],
    { collections, knowledge }: PendingOptions,
  ): OpenPending {
    const main: JoinedPart = {
      catalogue,
      deadRows: (name) => view.changedRows(name),
      collections,
      hasVectors: () => true,
    }
    const parts: readonly [JoinedPart, ...JoinedPart[]] = [
      main,
      ...view.segments.map((part, at) => ({ ...part, ...partOf(all[at]) })),
    ]
    const rows = joinRows(parts, collections)
    const knowledges = [knowledge, ...all.map((one) => one.knowledge)]
    const joinedKnowledge = async ({ name }: DatasetInfo): Promise<DatasetKnowledge> => {
      const known = await Promise.all(
        parts.map(async (part, at) => {
          const info = part.catalogue.dataset(name)
          return info && ([part, await knowledges[at]?.(info)] as const)
        }),
      )
      const byPart = new Map(known.filter((one) => one !== undefined))
      const ofMain = byPart.get(main)
      if (ofMain === undefined) throw new Error(`expected a dataset, received ${name}`)
      const titleRows = (text: string) =>
        rowsOfParts(name, parts, (part) => byPart.get(part)?.titleRows(text) ?? [])
      return { ...ofMain, titleRows }
    }
    return {
      view,
      rows,
      services: all.map((one, at) => one.services(() => viewOfSegment(view, at))),
      similar: createSearchService({
        catalogue: rows.catalogue,
        collections: rows.collections,
        models: shared.models,
        knowledge: joinedKnowledge,
        ...(lists && { lists }),
      }),
    }
  }
}

/** Every change of what is pending looks all of its ids up. */
function rememberRows(catalogue: Catalogue): Catalogue['rowOfId'] {
  const rows = new Map<string, number | undefined>()
  return (name, id) => {
    const key = `${name} ${id}`
    if (!rows.has(key)) rows.set(key, catalogue.rowOfId(name, id))
    return rows.get(key)
  }
}

function partOf(segment: Segment | undefined): Pick<JoinedPart, 'collections' | 'hasVectors'> {
  if (segment === undefined) throw new Error('expected a segment of each part')
  const { collections, hasVectors } = segment
  return { collections, hasVectors }
}

/** The rows of a segment that do not count are hidden as those of the main catalogue are. */
function viewOfSegment(view: PendingView, at: number): PendingView {
  const dead = (name: DatasetName) => view.segments[at]?.deadRows(name) ?? new Set<number>()
  return { changedRows: dead, deletedRows: dead, replacement: () => undefined, segments: [] }
}

function openSegment(
  folder: string,
  name: string,
  { resolve, words, shared }: PendingOptions,
): Segment {
  const embeddingsDir = segmentEmbeddings(folder, name)
  const location = { embeddingsDir }
  const openCollection = createOpenCollection(location)
  const openTokenIndex = createOpenTokenIndex(location)
  const catalogue = openCatalogue(segmentCatalogue(folder, name))
  const cache = createResourceCache()
  const collections = createCollectionStore(cache, (dataset, model) =>
    openCollection(dataset, resolve(model)),
  )
  const tokenIndexes = createStore({
    cache,
    label: 'token lists of',
    open: (dataset, model) => openTokenIndex(dataset, resolve(model)),
    close: (index: MaxSimIndex) => index.close(),
    verify: (index, options) => index.verify(options),
  })
  const knowledge = createKnowledge(catalogue, words)
  const built = new Map<string, boolean>()
  const hasVectors = (dataset: DatasetName, model: string) => {
    const key = `${dataset} ${model}`
    const known =
      built.get(key) ?? existsSync(embeddingPaths({ embeddingsDir, dataset, model }, []).manifest)
    built.set(key, known)
    return known
  }
  const models = [shared.encoder, builtinModel]
  const searchable = (dataset: DatasetName) =>
    catalogue.dataset(dataset) !== undefined && models.every((model) => hasVectors(dataset, model))
  return {
    name,
    catalogue,
    collections,
    knowledge,
    hasVectors,
    services(current) {
      const live = withoutChanged(catalogue, current)
      const { encoder } = shared.chosen
      const isCompared = catalogue
        .datasets()
        .every((dataset) => encoder !== undefined && hasVectors(dataset.name, encoder))
      const { rankedParts } = createSearchParts(
        { catalogue, collections, tokenIndexes, knowledge },
        { ...shared, chosen: isCompared ? shared.chosen : {} },
      )
      return {
        hasDataset: (dataset) => catalogue.dataset(dataset) !== undefined,
        isRanked: searchable,
        ranked: createRankedSearch({ ...rankedParts, catalogue: live }),
        listEntries: createListEntries({ catalogue: live, knowledge }),
        browse: createBrowse({ catalogue: live, knowledge }),
      }
    },
    async close() {
      await cache.close()
      catalogue.close()
    },
  }
}
