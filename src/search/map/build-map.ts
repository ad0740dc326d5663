/** Makes the map of one dataset by the embeddings of one model. */
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import { vocabularyFile } from '../../data/catalogue/tag-vocabulary.js'
import { openEmbeddings } from '../../data/embed/open-embeddings.js'
import { embeddingPaths } from '../../data/embed/paths.js'
import { DatasetMissingError, EmbeddingsBusyError } from '../../base/errors/index.js'
import { modelRevision } from '../../models/format/revision.js'
import type { ResolvedModel } from '../../models/registry/registry.js'
import { openCollection } from '../../native/addon/index.js'
import { readTagWords } from '../reader/lexicon.js'
import { withBuildLock } from '../../base/util/build-lock.js'
import { describeMap, traitsOf } from './map-data.js'
import { isMapOf, mapManifest, readMapManifest, writeMap, type MapOrigin } from './map-file.js'
import { temporaryPrefix } from './neighbours.js'
import { extent, project } from './project.js'
import { workVectors } from './work-vectors.js'

export interface MapLocation {
  readonly embeddingsDir: string
}

export interface BuildMapOptions {
  readonly catalogue: Catalogue
  readonly location: MapLocation
  readonly dataset: DatasetName
  readonly model: ResolvedModel
  readonly onProgress?: ((share: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface BuiltMap {
  /** Works on the map. */
  readonly works: number
  /** Works without a point. */
  readonly unplaced: number
}

/** Rejects with an EmbeddingsMissingError or -StaleError without embeddings, and an EmbeddingsBusyError during another build. */
export async function buildMap(options: BuildMapOptions): Promise<BuiltMap> {
  const { catalogue, location, model } = options
  const dataset = catalogue.dataset(options.dataset)
  if (dataset === undefined) throw new DatasetMissingError(options.dataset)
  const folder = mapFolder(location, dataset.name, model.name)
  const origin = await mapOrigin(catalogue, dataset.name, model)
  const query = {
    embeddingsDir: location.embeddingsDir,
    dataset,
    model: model.name,
    revision: origin.modelRevision,
  }
  const embeddings = await openEmbeddings(query)
  const built = await withBuildLock(mapManifest(folder), async () => {
    await removeLeftovers(folder)
    const tags = readTagWords(vocabularyFile)
    const traits = traitsOf(catalogue.facts(dataset.name), tags)
    const index = await openCollection(embeddings)
    const vectors = await workVectors(index, traits).finally(() => index.close())
    const points = await project(vectors, { folder, ...options })
    const layout = { rows: vectors.rows, points }
    const maps = describeMap(layout, {
      catalogue,
      dataset,
      model: model.name,
      extent,
      tags,
      traits,
    })
    options.signal?.throwIfAborted()
    await writeMap(folder, origin, maps)
    return { works: layout.rows.length, unplaced: dataset.rows - layout.rows.length }
  })
  if (built === undefined) throw new EmbeddingsBusyError(dataset.name, model.name)
  return built
}

const isLeftover = (name: string) =>
  name.startsWith(temporaryPrefix) || /^map[-.].*\.new$/.test(name)

/** What a build that was killed has left. Nobody else builds there meanwhile. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(isLeftover))
    await rm(join(folder, name), { recursive: true, force: true })
}

/** `none` where nobody wants one, `stale` where one is wanted or was made from something else. */
export async function mapState(
  catalogue: Catalogue,
  location: MapLocation,
  dataset: DatasetName,
  model: ResolvedModel,
): Promise<'none' | 'stale' | 'current'> {
  const folder = mapFolder(location, dataset, model.name)
  if (!existsSync(mapManifest(folder))) return 'none'
  const manifest = await readMapManifest(folder)
  const origin = await mapOrigin(catalogue, dataset, model)
  return manifest !== undefined && isMapOf(manifest, origin) ? 'current' : 'stale'
}

export const mapFolder = ({ embeddingsDir }: MapLocation, dataset: string, model: string): string =>
  dirname(embeddingPaths({ embeddingsDir, dataset, model }, []).manifest)

/** Of what a map of these would be made now. */
export async function mapOrigin(
  catalogue: Pick<Catalogue, 'dataset'>,
  dataset: DatasetName,
  { name: model, folder }: ResolvedModel,
): Promise<MapOrigin> {
  const info = catalogue.dataset(dataset)
  if (info === undefined) throw new DatasetMissingError(dataset)
  const modelRevisionNow = await modelRevision(folder)
  return { dataset, datasetVersion: info.version, model, modelRevision: modelRevisionNow }
}
