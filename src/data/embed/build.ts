/**
 * Builds the embeddings of one dataset with one model: every different text is encoded once, texts
 * that an earlier build of the same model has are taken from there, a build that was killed goes on,
 * and what is served changes at the end, at once. Quantized codes follow: they speed up what is right already.
 */
import { rm } from 'node:fs/promises'
import { withBuildLock } from '../../base/util/build-lock.js'
import type { Catalogue, DatasetInfo, DatasetName } from '../catalogue/catalogue.js'
import type { Encoder } from '../../models/encoders/encoder.js'
import { readPipeline } from '../../models/format/pipeline.js'
import {
  DatasetMissingError,
  EmbeddingsBusyError,
  EmbeddingsImportError,
  EmbeddingsMissingError,
  EmbeddingsStaleError,
  NativeError,
} from '../../base/errors/index.js'
import { openCollection } from '../../native/addon/index.js'
import { makeFolder } from '../../base/util/make-folder.js'
import { modelRevision } from '../../models/format/revision.js'
import { type TokenTable, findTokenTable } from './token-table.js'
import { version } from '../../base/util/version.js'
import { type EncodeProgress, encodeTexts } from './encode-texts.js'
import { openJournal } from './journal.js'
import {
  type Embeddings,
  type EmbeddingsQuery,
  checkTokens,
  openEmbeddings,
  requireTokens,
} from './open-embeddings.js'
import { type EmbeddingPaths, embeddingPaths } from './paths.js'
import { completePublication, publish } from './publish.js'
import { compactColumns, encodeRows } from './compact-rows.js'
import { type CodesProgress, buildColumnCodes } from './quantized-codes.js'
import { type DatasetTexts, type TextLocation, readTexts } from './texts.js'
import { type KnownVectors, addBuilt, createKnownVectors } from './cached-vectors.js'
import { readBuiltTokens, writeTokens } from './write-tokens.js'
import { type WriteProgress, writeMatrices } from './write-matrices.js'

export interface BuildOptions {
  readonly catalogue: Catalogue
  readonly encoder: Encoder
  /** Folder of the encoder's model. */
  readonly modelFolder: string
  readonly dataset: DatasetName
  readonly embeddingsDir: string
  /** Encodes everything again, whatever is there. */
  readonly force?: boolean
  /** Vectors that are taken as they are, whatever this model would make of their texts. */
  readonly adopted?: AdoptedVectors
  readonly onProgress?: (progress: BuildProgress) => void
  /** Awaited when all is on disk, before it takes the place of what is served. */
  readonly beforePublish?: () => Promise<void>
  /** Aborting stops after the texts in flight; the next build goes on from there. */
  readonly signal?: AbortSignal
}

interface AdoptedVectors {
  /** `.npy` files, and the key of the text behind each of their rows. */
  readonly files: readonly { readonly path: string; readonly keys: readonly string[] }[]
  /** Encodes what they do not have; it is an error otherwise. */
  readonly encodeRest: boolean
}

export type BuildProgress = EncodeProgress | WriteProgress | CodesProgress

export interface BuildResult extends Embeddings {
  /** Different texts of the dataset. */
  readonly texts: number
  /** Those that the model encoded now. */
  readonly encoded: number
  /** Of these, those that were longer than the model reads. */
  readonly truncated: number
}

/** Rejects with a DatasetMissingError, an EmbeddingsBusyError or what the encoder rejects with. */
export async function buildEmbeddings(options: BuildOptions): Promise<BuildResult> {
  const { catalogue, encoder, embeddingsDir } = options
  const dataset = catalogue.dataset(options.dataset)
  if (dataset === undefined) throw new DatasetMissingError(options.dataset)
  const location = { embeddingsDir, dataset: dataset.name, model: encoder.model }
  const paths = embeddingPaths(location, dataset.columns)
  makeFolder(paths.folder)
  const result = await withBuildLock(paths.manifest, () => build(options, dataset, paths))
  if (result === undefined) throw new EmbeddingsBusyError(dataset.name, encoder.model)
  return result
}

async function build(
  options: BuildOptions,
  dataset: DatasetInfo,
  paths: EmbeddingPaths,
): Promise<BuildResult> {
  const { catalogue, encoder, embeddingsDir, modelFolder, adopted, force = false } = options
  const { model } = encoder
  const revision = await modelRevision(modelFolder)
  await completePublication(paths)
  const query = { embeddingsDir, dataset, model, revision }
  const texts = readTexts(catalogue, dataset)
  const summary = { texts: texts.locations.size, encoded: 0, truncated: 0 }
  const table = await findTokenTable(modelFolder)
  const current = force || adopted ? undefined : await openIfCurrent(query, table)
  if (current !== undefined) {
    await rm(paths.building, { recursive: true, force: true })
    await buildColumnCodes(current, options)
    return { ...current, ...summary }
  }

  const known = createKnownVectors(encoder.dimension)
  try {
    const reused = force ? undefined : await addBuilt(known, paths, revision)
    const isImported = adopted !== undefined || reused?.imported === true
    if (adopted) addAdopted(known, adopted, texts, dataset)
    const encoded = await encodeMissing(options, texts, known, paths, revision)
    const compact = compactColumns(texts, dataset.rows)
    const matrices = await writeMatrices({ ...options, dataset, paths, texts, known, compact })
    const knownTokens = table && !force ? await readBuiltTokens(paths, revision) : undefined
    const writing = { ...options, dataset, paths, revision, texts, known: knownTokens }
    const tokens = table && (await writeTokens({ ...writing, table }))
    const columns = matrices.map((column, i) => ({ ...column, tokens: tokens?.[i] }))
    const manifest = {
      ...describe(dataset, encoder),
      pooling: [...(await readPipeline(modelFolder)).pooling],
      modelRevision: revision,
      ...(isImported ? { imported: true } : {}),
      ...(compact && { format: 2 as const, compactRows: encodeRows(compact.rows, dataset.rows) }),
      columns,
    }
    // Windows replaces no file that is open.
    known.close()
    await options.beforePublish?.()
    await publish(paths, manifest)
    const built = await openEmbeddings(query)
    await buildColumnCodes(built, options)
    return { ...built, ...summary, ...encoded }
  } finally {
    known.close()
  }
}

const describe = (dataset: DatasetInfo, encoder: Encoder) => ({
  format: 1 as const,
  builder: `synoptic ${version}`,
  dataset: dataset.name,
  datasetVersion: dataset.version,
  model: encoder.model,
  maxTokens: encoder.maxTokens,
  dimension: encoder.dimension,
  rows: dataset.rows,
})

/** @throws EmbeddingsImportError where texts would be left without a vector */
function addAdopted(
  known: KnownVectors,
  { files, encodeRest }: AdoptedVectors,
  texts: DatasetTexts,
  dataset: DatasetInfo,
): void {
  const keys = new Set(files.flatMap((file) => file.keys))
  const missing = [...texts.locations.values()].filter(({ key }) => !keys.has(key))
  if (missing.length > 0 && !encodeRest) {
    const counts = dataset.columns.flatMap((name, column) => {
      const count = missing.filter((location) => location.column === column).length
      return count > 0 ? [`${name}: ${count}`] : []
    })
    throw new EmbeddingsImportError(
      `expected a row for each of the ${texts.locations.size} texts of the ${dataset.name} dataset, ` +
        `${missing.length} have none (${counts.join(', ')}); import the same CSV with ` +
        `\`synoptic data import data/sources/merged-${dataset.name}.json --from FOLDER\`, ` +
        'or have them encoded with --encode-rest',
    )
  }
  for (const { path, keys } of files) known.add(path, keys)
}

/**
 * Reads every file whole: what is damaged has to be made again, and a build without hashes of its blocks
 * gets them.
 * @param table what the model's token lists belong to; a build may be older than they are
 */
async function openIfCurrent(
  query: EmbeddingsQuery,
  table: TokenTable | undefined,
): Promise<Embeddings | undefined> {
  try {
    const embeddings = await openEmbeddings(query)
    const { columns } = embeddings
    if (columns.some(({ hashes }) => hashes === undefined)) return undefined
    const index = await openCollection(embeddings)
    index.close()
    if (table === undefined) return embeddings
    requireTokens(embeddings)
    return (await checkTokens(embeddings)).length === 0 ? embeddings : undefined
  } catch (error) {
    const isExpected =
      error instanceof EmbeddingsMissingError ||
      error instanceof EmbeddingsStaleError ||
      (error instanceof NativeError && error.file !== undefined)
    if (isExpected) return undefined
    throw error
  }
}

/** Encodes what is not known yet into the journal, and makes that known. */
async function encodeMissing(
  options: BuildOptions,
  texts: DatasetTexts,
  known: KnownVectors,
  paths: EmbeddingPaths,
  revision: string,
): Promise<{ encoded: number; truncated: number }> {
  const { encoder, force = false } = options
  const isFresh = force || options.adopted !== undefined
  const identity = `${revision} ${encoder.dimension}${isFresh ? ' fresh' : ''}`
  const journal = openJournal(paths.building, encoder.dimension, identity)
  try {
    const written = new Set(journal.keys)
    const isMissing = ({ key }: TextLocation) => !known.has(key) && !written.has(key)
    const missing = [...texts.locations.values()].filter(isMissing)
    const truncated = await encodeTexts(missing, { ...options, journal })
    known.add(journal.vectorsPath, journal.keys, 0)
    return { encoded: missing.length, truncated }
  } finally {
    journal.close()
  }
}
