/** The maps that a server shows: read at each request, so that a new map appears without a reload. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import { DatasetMissingError, MapMissingError } from '../../base/errors/index.js'
import type { ResolvedModel } from '../../models/registry/registry.js'
import { mapFolder, mapOrigin, type MapLocation } from './build-map.js'
import { isMapOf, mapManifest, readMapManifest } from './map-file.js'

export interface Maps {
  /** Rejects with a DatasetMissingError, or a MapMissingError where there is no map of what is served. */
  read(dataset: DatasetName, options: { readonly adult: boolean }): Promise<CompressedMap>
}

interface CompressedMap {
  /** JSON, by gzip. */
  readonly bytes: Buffer<ArrayBuffer>
  readonly sha256: string
}

interface Kept {
  /** Of the manifest's file. */
  readonly state: string
  readonly map: CompressedMap
}

/** @param models whose maps may be shown, the first choice first */
export function openMaps(
  catalogue: Pick<Catalogue, 'dataset'>,
  location: MapLocation,
  models: readonly ResolvedModel[],
): Maps {
  const kept = new Map<string, Kept>()

  async function readOne(
    dataset: DatasetName,
    model: ResolvedModel,
    part: 'all' | 'general',
  ): Promise<CompressedMap | undefined> {
    const folder = mapFolder(location, dataset, model.name)
    const found = await stat(mapManifest(folder), { bigint: true }).catch(() => undefined)
    if (found === undefined) return undefined
    const state = `${found.ino} ${found.size} ${found.mtimeNs}`
    const key = `${folder} ${part}`
    const known = kept.get(key)
    if (known?.state === state) return known.map
    const manifest = await readMapManifest(folder)
    const origin = await mapOrigin(catalogue, dataset, model)
    if (manifest === undefined || !isMapOf(manifest, origin)) return undefined
    const { file, sha256 } = manifest[part]
    const bytes = await readFile(join(folder, file)).catch(() => undefined)
    // A new map may have taken its place just now, or it is damaged: both are no map.
    if (bytes === undefined) return undefined
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return undefined
    const map = { bytes, sha256 }
    kept.set(key, { state, map })
    return map
  }

  return {
    async read(dataset, { adult }) {
      if (catalogue.dataset(dataset) === undefined) throw new DatasetMissingError(dataset)
      for (const model of models) {
        const map = await readOne(dataset, model, adult ? 'all' : 'general')
        if (map !== undefined) return map
      }
      throw new MapMissingError(dataset)
    },
  }
}
