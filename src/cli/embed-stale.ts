/** Builds the embeddings of datasets that have changed, with every model that they had some of, and their maps. */
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import type { DatasetName } from '../data/catalogue/catalogue.js'
import type { EmbedSettings } from '../base/config/settings.js'
import { buildEmbeddings } from '../data/embed/build.js'
import { collectionStates } from '../data/embed/status.js'
import { builtinModel } from '../models/registry/registry.js'
import { renewMap } from './embed-map.js'
import { runBuild, withProgressBar } from './embed-run.js'

export interface Embedded {
  /** Exit status. */
  readonly status: number
  /** Whether anything had to be built. */
  readonly isNew: boolean
}

export async function embedStale(
  settings: EmbedSettings,
  datasets: ReadonlySet<DatasetName>,
): Promise<Embedded> {
  const needed = await modelsToBuild(settings, datasets)
  for (const [model, names] of needed) {
    const status = await runBuild(settings, model, async (tools) => {
      for (const dataset of names) {
        await withProgressBar(dataset, (onProgress) =>
          buildEmbeddings({ ...tools, force: false, dataset, onProgress }),
        )
        await renewMap({ ...tools, location: settings, dataset })
      }
    })
    if (status !== 0) return { status, isNew: true }
  }
  return { status: 0, isNew: needed.size > 0 }
}

/** The built-in model is always among them: searches start with it. */
async function modelsToBuild(
  settings: EmbedSettings,
  datasets: ReadonlySet<DatasetName>,
): Promise<ReadonlyMap<string, readonly DatasetName[]>> {
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    const states = await collectionStates({ ...settings, catalogue, verify: false })
    const needed = new Map<string, DatasetName[]>()
    for (const { dataset, model, state } of states) {
      const [name] = [...datasets].filter((one) => one === dataset)
      const isWanted = state === 'stale' || state === 'damaged' || model === builtinModel
      if (name === undefined || state === 'current' || state === 'unused' || !isWanted) continue
      needed.set(model, [...(needed.get(model) ?? []), name])
    }
    return needed
  } finally {
    catalogue.close()
  }
}
