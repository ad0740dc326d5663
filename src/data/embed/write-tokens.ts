/** Writes the token lists of a static model's columns, from which /search ranks; see src/search/ranking. */
import { basename, join } from 'node:path'
import type { Catalogue, DatasetInfo } from '../catalogue/catalogue.js'
import type { Encoder } from '../../models/encoders/encoder.js'
import { writeSynced } from '../../base/util/write-synced.js'
import { distinctTokens, encodeTokenLists, tokenSource } from './token-lists.js'
import type { TokenTable } from './token-table.js'
import type { EmbeddingPaths } from './paths.js'

export interface TokensOptions {
  readonly catalogue: Catalogue
  readonly dataset: DatasetInfo
  readonly encoder: Encoder
  readonly paths: EmbeddingPaths
  readonly revision: string
  readonly table: Pick<TokenTable, 'tokens'>
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
  const { catalogue, dataset, encoder, signal } = options
  const lists: Uint16Array[] = Array.from({ length: dataset.rows }, () => new Uint16Array())
  let waiting: { row: number; text: string }[] = []
  const tokenize = async () => {
    const chunk = waiting
    waiting = []
    const texts = chunk.map(({ text }) => text)
    const { ids, counts } = await encoder.tokenize(texts, {
      priority: 'bulk',
      ...(signal === undefined ? {} : { signal }),
    })
    let start = 0
    chunk.forEach(({ row }, i) => {
      const end = start + (counts[i] ?? 0)
      lists[row] = distinctTokens(ids.subarray(start, end))
      start = end
    })
  }
  for (const location of catalogue.texts(dataset.name, column)) {
    waiting.push(location)
    if (waiting.length === textsPerRequest) await tokenize()
  }
  await tokenize()
  return lists
}
