/** What the engine holds of a catalogue's datasets, with what the embeddings store and the catalogue say. */
import type { Catalogue } from '../../data/catalogue/catalogue.js'
import { collectionStates, type CollectionState } from '../../data/embed/status.js'
import { IndexMismatchError } from '../../base/errors/index.js'
import { modelRevision } from '../../models/format/revision.js'
import { listModels, type ResolvedModel } from '../../models/registry/registry.js'
import type { Engine } from './engine.js'
import { differenceOf, listIndices } from './find-index.js'
import { aliasOf, type IndexMeta } from './layout.js'

export interface IndexState {
  readonly dataset: string
  readonly model: string
  /** Of the files here; absent where there are none. */
  readonly local: CollectionState['state'] | undefined
  /** `current`: servers of this catalogue can search it. */
  readonly state: 'current' | 'missing' | 'stale'
  readonly indices: readonly PublishedIndex[]
  /** The command that mends it. */
  readonly remedy: string | undefined
}

export interface PublishedIndex {
  readonly name: string
  /** Whether the alias points to it. */
  readonly isCurrent: boolean
  /** Why it does not fit what is here; undefined: it does. */
  readonly problem: string | undefined
  readonly health: string
  readonly shards: number
  readonly replicas: number
  readonly bytes: number
  readonly hasGraph: boolean
}

export interface IndexStatesOptions {
  readonly engine: Engine
  readonly prefix: string
  /** As the settings of servers say. */
  readonly candidates: number | undefined
  readonly catalogue: Catalogue
  readonly embeddingsDir: string
  readonly modelsDir: string
}

interface CatRow {
  readonly index: string
  readonly health: string
  readonly pri: string
  readonly rep: string
  readonly 'store.size': string | null
}

/** Of each dataset and model that has embeddings here or an index there. */
export async function indexStates(options: IndexStatesOptions): Promise<readonly IndexState[]> {
  const locals = await collectionStates({ ...options, verify: false })
  const states: IndexState[] = []
  for (const { name } of options.catalogue.datasets()) {
    for (const model of listModels(options).filter(({ installed }) => installed)) {
      const local = locals.find((own) => own.dataset === name && own.model === model.name)
      const indices = await publishedIndices(name, model, local, options)
      const isHere = local !== undefined && local.state !== 'missing'
      if (!isHere && indices.length === 0) continue
      const fits = indices.some(({ problem, health }) => problem === undefined && health !== 'red')
      const state = fits ? 'current' : indices.length === 0 ? 'missing' : 'stale'
      const { remedy } = new IndexMismatchError(name, model.name, options)
      const needed = local?.state === 'current' ? remedy : local?.remedy
      states.push({
        dataset: name,
        model: model.name,
        local: isHere ? local.state : undefined,
        state,
        indices,
        remedy: fits ? undefined : (needed ?? remedy),
      })
    }
  }
  return states
}

async function publishedIndices(
  datasetName: string,
  model: ResolvedModel,
  local: CollectionState | undefined,
  { engine, prefix, catalogue, candidates }: IndexStatesOptions,
): Promise<PublishedIndex[]> {
  const naming = { prefix, dataset: datasetName, model: model.name }
  const dataset = catalogue.datasets().find(({ name }) => name === datasetName)
  const found = await listIndices(engine, naming)
  if (found.length === 0 || dataset === undefined) return []
  const path = `/_cat/indices/${aliasOf(naming)}-*`
  const query = { format: 'json', bytes: 'b' }
  const rows = (await engine.call<readonly CatRow[]>({ method: 'GET', path, query })) ?? []
  const revision = await modelRevision(model.folder)
  return found.map((index) => {
    const { name, isCurrent } = index
    const row = rows.find(({ index: other }) => other === name)
    const difference =
      index.meta === undefined
        ? 'another layout than this version of Synoptic reads'
        : (differenceOf(index, { dataset, model: model.name, revision, candidates }) ??
          otherVectors(index.meta, local))
    return {
      name,
      isCurrent,
      problem: difference,
      health: row?.health ?? 'unknown',
      shards: Number(row?.pri ?? 0),
      replicas: Number(row?.rep ?? 0),
      bytes: Number(row?.['store.size'] ?? 0),
      hasGraph: index.meta?.graph !== undefined,
    }
  })
}

/** The same texts and model, and yet other vectors: one of both was imported, or built by another program. */
function otherVectors(meta: IndexMeta, local: CollectionState | undefined): string | undefined {
  if (local?.state !== 'current') return undefined
  const here = local.manifest?.columns.map(({ sha256 }) => sha256).join()
  return here === meta.matrices.join() ? undefined : 'other vectors than those here'
}
