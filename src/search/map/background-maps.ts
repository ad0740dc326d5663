/** Makes maps while a server runs: in a process of low priority, one at a time, until the server stops. */
import { fileURLToPath } from 'node:url'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import { openCatalogue } from '../../data/catalogue/open-catalogue.js'
import { runInBackground } from '../../base/util/background-process.js'
import { type BackgroundTask, createBackgroundTask } from '../../base/util/background-task.js'
import type { ResolvedModel } from '../../models/registry/registry.js'
import { mapFolder, mapState, removeLeftovers, type MapLocation } from './build-map.js'

/** The message to the process. */
export interface MapWork {
  /** The catalogue's file. */
  readonly catalogue: string
  readonly location: MapLocation
  readonly wanted: readonly {
    readonly dataset: DatasetName
    readonly model: ResolvedModel
  }[]
}

export interface BackgroundMapsOptions extends Omit<MapWork, 'wanted'> {
  /** Whose maps are renewed. */
  readonly models: readonly ResolvedModel[]
  readonly onMade: (made: MadeMap) => void
  readonly onProblem: (problem: string) => void
}

interface MadeMap {
  readonly dataset: string
  readonly model: string
  readonly works: number
  readonly ms: number
}

const file = fileURLToPath(new URL('map-process.js', import.meta.url))

/** Makes the maps that are wanted and not there, or of other texts. */
export function createBackgroundMaps(options: BackgroundMapsOptions): BackgroundTask {
  const { catalogue, location, onMade: onMessage, onProblem } = options
  return createBackgroundTask(async (signal) => {
    const wanted = await staleMaps(options)
    if (wanted.length === 0) return
    const work: MapWork = { catalogue, location, wanted }
    await runInBackground<MadeMap>({ file, work, onMessage, onProblem, signal })
    if (!signal.aborted) return
    for (const { dataset, model } of wanted)
      await removeLeftovers(mapFolder(location, dataset, model.name))
  }, onProblem)
}

async function staleMaps({
  catalogue: path,
  location,
  models,
}: BackgroundMapsOptions): Promise<MapWork['wanted']> {
  const catalogue = openCatalogue(path)
  try {
    const pairs = catalogue
      .datasets()
      .flatMap(({ name: dataset }) => models.map((model) => ({ dataset, model })))
    const states = await Promise.all(
      pairs.map(({ dataset, model }) =>
        mapState(catalogue, location, dataset, model).catch(() => 'none'),
      ),
    )
    return pairs.filter((_, at) => states[at] === 'stale')
  } finally {
    catalogue.close()
  }
}
