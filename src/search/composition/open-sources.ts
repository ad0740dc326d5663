/** What a search reads from: the catalogue, the lists of the AniList user, and vectors. */
import type { UserLists } from '../../data/anilist/user-lists.js'
import type { Catalogue, DatasetColumn } from '../../data/catalogue/catalogue.js'
import { catalogueFile } from '../../data/catalogue/open-catalogue.js'
import { withoutColumn } from '../../data/catalogue/without-column.js'
import { openVectorSource, type SourceSettings, type VectorSource } from './vector-source.js'
import {
  openWatchedCatalogue,
  type WatchedCatalogue,
  type WatchOptions,
} from './watched-catalogue.js'

export interface Sources {
  readonly watched: WatchedCatalogue
  /** Without the column that the search leaves out. */
  readonly catalogue: Catalogue
  readonly lists: UserLists | undefined
  readonly vectors: VectorSource
}

/** Where one cannot be opened, closes the others. */
export async function openSources(
  settings: SourceSettings & {
    readonly dataDir: string
    readonly without?: DatasetColumn | undefined
  },
  {
    openLists,
    watching,
  }: {
    readonly openLists: ((catalogue: Catalogue) => UserLists | undefined) | undefined
    readonly watching: WatchOptions
  },
): Promise<Sources> {
  const { dataDir, without } = settings
  const watched = await openWatchedCatalogue(catalogueFile(dataDir), watching)
  let lists: UserLists | undefined
  try {
    const whole = watched.catalogue
    const catalogue = without === undefined ? whole : withoutColumn(whole, without)
    lists = openLists?.(catalogue)
    return { watched, catalogue, lists, vectors: await openVectorSource(settings) }
  } catch (error) {
    lists?.close()
    watched.close()
    throw error
  }
}
