/**
 * The files of a collection, checked against what is served now. Every opening checks versions,
 * sizes and the files' edges; `checkFiles` reads them whole.
 */
import { dirname, join } from 'node:path'
import type { DatasetInfo } from '../catalogue/catalogue.js'
import { EmbeddingsMissingError, EmbeddingsStaleError } from '../../base/errors/index.js'
import { checkTokenLists, tokenSource } from './token-lists.js'
import { hashEdges, hashFile } from './file-hash.js'
import { type Manifest, type ManifestColumn, compactRows, readManifest } from './manifest.js'
import type { CompactRows } from '../../native/addon/index.js'
import { embeddingPaths } from './paths.js'

export interface EmbeddingsQuery {
  readonly embeddingsDir: string
  readonly dataset: DatasetInfo
  readonly model: string
  /** What `modelRevision` returns for the model's files. */
  readonly revision: string
  /** Whether the matrices may be missing here, because another place has the vectors. */
  readonly withoutMatrices?: boolean | undefined
}

export interface Embeddings {
  readonly manifest: Manifest
  /** In the order of the dataset's columns. */
  readonly columns: readonly EmbeddingsColumn[]
  /** The rows of the columns that are compact. */
  readonly compact?: CompactRows | undefined
}

interface EmbeddingsColumn {
  readonly name: string
  readonly path: string
  readonly compact?: boolean | undefined
  /** Of the whole file, in hexadecimal: what is made from the matrix is bound to it. */
  readonly sha256: string
  /** Of its blocks; absent from builds that had none. */
  readonly hashes?: Uint8Array
  /** Lists of the texts' tokens; only of static models. */
  readonly tokens?: TokenLists
}

interface TokenLists {
  readonly path: string
  /** The 32 bytes of what they have to be made from. */
  readonly source: Uint8Array
}

export interface TokenListColumn extends TokenLists {
  readonly name: string
}

/**
 * Throws an EmbeddingsMissingError, or an EmbeddingsStaleError whose `cause` says what differs; both
 * name the command that mends it.
 */
export async function openEmbeddings(query: EmbeddingsQuery): Promise<Embeddings> {
  const { dataset, model } = query
  const paths = embeddingPaths({ ...query, dataset: dataset.name }, dataset.columns)
  const stale = (problem: string) =>
    new EmbeddingsStaleError(dataset.name, model, { cause: new Error(problem) })
  const manifest = await readManifest(paths.manifest).catch((error: unknown) => {
    throw stale(error instanceof Error ? error.message : String(error))
  })
  if (manifest === undefined) throw new EmbeddingsMissingError(dataset.name, model)
  const difference = findDifference(manifest, query)
  if (difference !== undefined) throw stale(difference)
  const columns = await Promise.all(
    paths.columns.map(async ({ name, path }, i) => {
      const column = manifest.columns[i]
      if (column === undefined) throw stale(`the column ${name} is missing`)
      const problem =
        query.withoutMatrices === true ? undefined : await checkEdges(path, column, query)
      if (problem !== undefined) throw stale(problem)
      const hashes = column.blocks && { hashes: Buffer.from(column.blocks, 'base64') }
      const { sha256, compact } = column
      return { name, path, compact, sha256, ...hashes, ...tokensOf(path, column, query) }
    }),
  )
  const rows = compactRows(manifest)
  return { manifest, columns, ...(rows && { compact: { rowCount: manifest.rows, rows } }) }
}

/** Reads every file; returns what is wrong with them, nothing where all is well. */
export async function checkFiles(embeddings: Embeddings): Promise<string[]> {
  const problems: string[] = []
  for (const { name, path, sha256 } of embeddings.columns) {
    const found = await hashFile(path)
    if (found !== sha256) problems.push(`${name}: expected SHA-256 ${sha256}, found ${found}`)
  }
  return [...problems, ...(await checkTokens(embeddings))]
}

/** Reads the token lists whole; returns what is wrong with them. */
export async function checkTokens({ columns }: Embeddings): Promise<string[]> {
  const lists = columns.map(({ tokens }) => tokens).filter((tokens) => tokens !== undefined)
  const problems = await Promise.all(lists.map(({ path, source }) => checkTokenLists(path, source)))
  return problems.filter((problem) => problem !== undefined)
}

/** The columns' token lists; throws an EmbeddingsStaleError where a build is older than they are. */
export function requireTokens({ manifest, columns }: Embeddings): readonly TokenListColumn[] {
  return columns.map(({ name, tokens }) => {
    if (tokens !== undefined) return { name, ...tokens }
    const cause = new Error(`the token lists of ${name} are missing, which /search needs`)
    throw new EmbeddingsStaleError(manifest.dataset, manifest.model, { cause })
  })
}

function tokensOf(
  path: string,
  { name, tokens }: ManifestColumn,
  { dataset, revision }: EmbeddingsQuery,
): Pick<EmbeddingsColumn, 'tokens'> {
  if (tokens === undefined) return {}
  const origin = { datasetVersion: dataset.version, modelRevision: revision, column: name }
  return { tokens: { path: join(dirname(path), tokens), source: tokenSource(origin) } }
}

function findDifference(manifest: Manifest, query: EmbeddingsQuery): string | undefined {
  const { dataset, model, revision } = query
  const expected = [
    ['dataset', dataset.name, manifest.dataset],
    ['dataset version', dataset.version, manifest.datasetVersion],
    ['rows', dataset.rows, manifest.rows],
    ['columns', dataset.columns.join(', '), manifest.columns.map(({ name }) => name).join(', ')],
    ['model', model, manifest.model],
    ['model revision', revision, manifest.modelRevision],
  ] as const
  const different = expected.find(([, expectedValue, found]) => expectedValue !== found)
  if (different === undefined) return undefined
  const [what, expectedValue, found] = different
  return `${what}: expected ${expectedValue}, found ${found}`
}

async function checkEdges(
  path: string,
  column: ManifestColumn,
  { dataset, model }: EmbeddingsQuery,
): Promise<string | undefined> {
  try {
    const { bytes, edges } = await hashEdges(path)
    if (bytes !== column.bytes)
      return `${column.file}: expected ${column.bytes} bytes, found ${bytes}`
    return edges === column.edges ? undefined : `${column.file} is not the file that was built`
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
    throw new EmbeddingsMissingError(dataset.name, model, { cause })
  }
}
