/** Writes the token lists of a static model's columns, from which /search ranks; see src/search/ranking. */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import type { Encoder } from '../../models/encoders/encoder.js'
import { writeSynced } from '../../base/util/write-synced.js'
import { readManifest } from './manifest.js'
import type { EmbeddingPaths } from './paths.js'
import { type DatasetTexts, blankKey, hashBytes, keyAt } from './texts.js'
import { distinctTokens, encodeTokenLists, readTokenLists, tokenSource } from './token-lists.js'
import type { TokenTable } from './token-table.js'

export interface TokensOptions {
  readonly catalogue: Catalogue
  readonly dataset: DatasetInfo
  readonly encoder: Encoder
  readonly paths: EmbeddingPaths
  readonly revision: string
  readonly table: Pick<TokenTable, 'tokens'>
  readonly texts: Pick<DatasetTexts, 'hashes'>
  /** Lists of texts that need not be tokenized again, by their keys. */
  readonly known?: ReadonlyMap<string, Uint16Array> | undefined
  readonly signal?: AbortSignal | undefined
}

/** Into the build's folder, under the names that are returned, in the order of the columns. */
export async function writeTokens(options: TokensOptions): Promise<string[]> {
  const { dataset, paths, revision, table } = options
  const files: string[] = []
  for (const [column, { name, path }] of paths.columns.entries()) {
    const origin = { datasetVersion: dataset.version, modelRevision: revision, column: name }
    const lists = await listTokens(column, options)
    const file = `${basename(path, '.npy')}.tokens`
    const bytes = encodeTokenLists(lists, table.tokens, tokenSource(origin))
    await writeSynced(join(paths.building, file), bytes)
    files.push(file)
  }
  return files
}

const textsPerRequest = 256

async function listTokens(column: number, options: TokensOptions): Promise<Uint16Array[]> {
  const { catalogue, dataset, encoder, texts, known, signal } = options
  const lists: Uint16Array[] = Array.from({ length: dataset.rows }, () => new Uint16Array())
  let waiting: { row: number; text: string }[] = []
  const tokenize = async () => {
    const chunk = waiting
    waiting = []
    const { ids, counts } = await encoder.tokenize(
      chunk.map(({ text }) => text),
      { priority: 'bulk', ...(signal === undefined ? {} : { signal }) },
    )
    let start = 0
    chunk.forEach(({ row }, i) => {
      const end = start + (counts[i] ?? 0)
      lists[row] = distinctTokens(ids.subarray(start, end))
      start = end
    })
  }
  for (const row of lists.keys()) {
    const key = keyAt(texts.hashes, column * dataset.rows + row)
    if (key === blankKey) continue
    const list = known?.get(key)
    if (list !== undefined) {
      lists[row] = list
      continue
    }
    waiting.push({ row, text: catalogue.text(dataset.name, row, column) ?? '' })
    if (waiting.length === textsPerRequest) await tokenize()
  }
  if (waiting.length > 0) await tokenize()
  return lists
}

/** Lists that an earlier build made with the same model, by the keys of their texts; files that are damaged are left out. */
export async function readBuiltTokens(
  paths: EmbeddingPaths,
  revision: string,
): Promise<ReadonlyMap<string, Uint16Array>> {
  const known = new Map<string, Uint16Array>()
  const manifest = await readManifest(paths.manifest).catch(() => undefined)
  if (manifest?.modelRevision !== revision) return known
  const { rows, columns, datasetVersion } = manifest
  const hashes = await readFile(paths.hashes).catch(() => Buffer.alloc(0))
  if (hashes.length !== columns.length * rows * hashBytes) return known
  for (const [column, { name, tokens }] of columns.entries()) {
    if (tokens === undefined) continue
    const source = tokenSource({ datasetVersion, modelRevision: revision, column: name })
    const listOf = await readTokenLists(join(paths.folder, tokens), source)
    if (listOf === undefined) continue
    for (let row = 0; row < rows; row += 1) {
      const key = keyAt(hashes, column * rows + row)
      if (key !== blankKey) known.set(key, listOf(row))
    }
  }
  return known
}
