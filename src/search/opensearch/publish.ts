/**
 * Loads the vectors of a dataset into an index of their own, then has the alias point to it. An index is named by what it
 * holds and a document by its row, so a publication that was killed goes on where the engine has no documents yet.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { Embeddings } from '../../data/embed/open-embeddings.js'
import { SettingsError } from '../../base/errors/index.js'
import type { VectorIndex } from '../../native/addon/vector-index.js'
import { version } from '../../base/util/version.js'
import { missingBlocks, totalVectors } from './block-counts.js'
import { loadRows } from './bulk-load.js'
import type { Engine } from './engine.js'
import { EngineFault, unavailable } from './engine-faults.js'
import { listIndices, type FoundIndex } from './find-index.js'
import {
  aliasOf,
  indexBody,
  indexName,
  layoutVersion,
  wholeAliasOf,
  type IndexMeta,
  type Naming,
} from './layout.js'

export interface PublishOptions {
  readonly engine: Engine
  readonly prefix: string
  readonly dataset: DatasetInfo
  readonly embeddings: Embeddings
  /** Of these embeddings. */
  readonly vectors: VectorIndex
  readonly spread: WantedSpread
  /** Whether the engine builds a graph of the vectors, for searches by candidates. */
  readonly hasGraph?: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: PublishProgress) => void
}

interface WantedSpread {
  readonly shards: number
  /** Undefined: one where there are several nodes. */
  readonly replicas: number | undefined
}

export interface PublishProgress {
  /** Rows that the engine has. */
  readonly done: number
  readonly total: number
  /** Milliseconds of the last wait for an engine that was too busy; 0: there was none. */
  readonly waitMs: number
}

export interface Published {
  readonly index: string
  /** Documents that this run has sent. */
  readonly sent: number
  /** Whether the alias pointed to another index before, or to none. */
  readonly isNew: boolean
  /** Earlier indices that are still there. */
  readonly old: readonly string[]
}

/** Copies to other nodes take as long as the network lets them. */
const copyMs = 600_000
const lookMs = 500

/** Rejects with an IndexUnavailableError, or with the reason of the signal; run again, it goes on. */
export async function publishIndex(options: PublishOptions): Promise<Published> {
  const { engine, prefix, dataset, embeddings, spread, signal } = options
  const { model } = embeddings.manifest
  const naming = { prefix, dataset: dataset.name, model }
  const meta = metaOf(options)
  const name = indexName(prefix, meta, spread.shards)
  const replicas = await checkedReplicas(engine, spread.replicas)
  const known = await listIndices(engine, naming)
  const existing = known.find((index) => index.name === name)
  if (existing === undefined) await createIndex(engine, name, indexBody(meta, spread.shards))
  const sent = existing?.isWhole === true ? 0 : await fill(name, meta, options)
  await setReplicas(engine, name, replicas, signal)
  const isNew = await swapAlias(engine, naming, name, known)
  const old = known.map((index) => index.name).filter((other) => other !== name)
  return { index: name, sent, isNew, old }
}

/** Removes indices that nothing points to. */
export async function pruneIndices(engine: Engine, names: readonly string[]): Promise<void> {
  for (const name of names) await engine.call({ method: 'DELETE', path: `/${name}` })
}

function metaOf({ dataset, embeddings, vectors, hasGraph }: PublishOptions): IndexMeta {
  const { manifest, columns } = embeddings
  const { model, modelRevision } = manifest
  const { validRows, validVectors } = vectors.stats()
  const { rows, dimension } = vectors
  return {
    dataset: dataset.name,
    datasetVersion: dataset.version,
    model,
    modelRevision,
    dimension,
    rows,
    columns: columns.map(({ name }) => name),
    validRows,
    validVectors: [...validVectors],
    layout: layoutVersion,
    builder: `synoptic ${version}`,
    matrices: columns.map(({ sha256 }) => sha256),
    ...(hasGraph === true && { graph: 'hnsw' as const }),
  }
}

async function createIndex(engine: Engine, name: string, body: object): Promise<void> {
  try {
    await engine.call({ method: 'PUT', path: `/${name}`, body })
  } catch (error) {
    // Another run has created it in this moment, or this one in an attempt whose answer was lost.
    const isThere = error instanceof EngineFault && error.message.includes('already_exists')
    if (!isThere) throw error
  }
}

/** Sends the rows that are missing, until none is. */
async function fill(name: string, meta: IndexMeta, options: PublishOptions): Promise<number> {
  const { engine, signal, onProgress, vectors } = options
  let sent = 0
  const missing = await missingBlocks(engine, name, meta.rows)
  const rowsMissing = missing.reduce((sum, { begin, end }) => sum + end - begin, 0)
  await loadRows({
    engine,
    name,
    vectors,
    blocks: missing,
    signal,
    hasGraph: meta.graph !== undefined,
    onLoaded(rows, waitMs) {
      sent += rows
      onProgress({ done: meta.rows - rowsMissing + sent, total: meta.rows, waitMs })
    },
  })
  const left = await missingBlocks(engine, name, meta.rows)
  const found = await totalVectors(engine, name)
  const expected = meta.validVectors.reduce((sum, count) => sum + count, 0)
  if (left.length > 0 || found !== expected) {
    const what = `${name}: blocks missing: ${left.length}; vectors: expected ${expected}, found ${found}`
    throw unavailable(new EngineFault('incomplete', what))
  }
  return sent
}

/** @throws SettingsError where there are fewer nodes than copies */
async function checkedReplicas(engine: Engine, wanted: number | undefined): Promise<number> {
  const health = await engine.call<{ number_of_data_nodes: number }>({
    method: 'GET',
    path: '/_cluster/health',
  })
  const nodes = health?.number_of_data_nodes ?? 1
  if (wanted === undefined) return Math.min(1, nodes - 1)
  if (wanted < nodes) return wanted
  const expected = `expected fewer replicas than the cluster has nodes (${nodes})`
  throw new SettingsError([`embed publish: --replicas: ${expected}, received ${wanted}`])
}

/** Waits until they are copied: from the swap on searches may lose a node. */
async function setReplicas(
  engine: Engine,
  name: string,
  replicas: number,
  signal: AbortSignal,
): Promise<void> {
  const body = { index: { number_of_replicas: replicas } }
  await engine.call({ method: 'PUT', path: `/${name}/_settings`, body })
  const begunMs = performance.now()
  while (performance.now() - begunMs < copyMs) {
    const health = await engine.call<{ status: string }>({
      method: 'GET',
      path: `/_cluster/health/${name}`,
      signal,
    })
    if (health?.status === 'green') return
    await delay(lookMs, undefined, { signal })
  }
  throw unavailable(new EngineFault('incomplete', `${name}: its replicas were not copied in time`))
}

/** In one step of the engine: no search finds no index, and none finds two. From then on the index is known to be whole. */
async function swapAlias(
  engine: Engine,
  naming: Naming,
  name: string,
  known: readonly Pick<FoundIndex, 'name' | 'isCurrent' | 'isWhole'>[],
): Promise<boolean> {
  const alias = aliasOf(naming)
  const before = known.filter(({ isCurrent }) => isCurrent)
  const [only] = before
  if (before.length === 1 && only?.name === name && only.isWhole) return false
  const actions = [
    ...before.map(({ name: index }) => ({ remove: { index, alias } })),
    { add: { index: name, alias: wholeAliasOf(naming) } },
    { add: { index: name, alias } },
  ]
  await engine.call({ method: 'POST', path: '/_aliases', body: { actions } })
  return true
}
