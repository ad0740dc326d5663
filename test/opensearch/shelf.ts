/** Matrices in files, an index of them in the engine, and both opened. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatasetInfo } from '#synoptic/data/catalogue/catalogue.js'
import type { Embeddings } from '#synoptic/data/embed/open-embeddings.js'
import { openCollection } from '#synoptic/native/addon/index.js'
import type { VectorIndex } from '#synoptic/native/addon/vector-index.js'
import { createEngine, type Engine } from '#synoptic/search/opensearch/engine.js'
import { findIndex } from '#synoptic/search/opensearch/find-index.js'
import { publishIndex, type PublishOptions } from '#synoptic/search/opensearch/publish.js'
import { openRemoteIndex } from '#synoptic/search/opensearch/remote-index.js'
import { writeNpy } from '../native/npy.js'

export const revision = 'f'.repeat(64)

export interface Shelf {
  readonly dataset: DatasetInfo
  readonly embeddings: Embeddings
  readonly local: VectorIndex
  readonly engine: Engine
  publish(options?: Partial<PublishOptions>): ReturnType<typeof publishIndex>
  /** What is published. @param through other addresses of the engine */
  open(through?: readonly string[]): Promise<VectorIndex>
}

export interface ShelfOptions {
  readonly folder: string
  readonly urls: readonly string[]
  readonly prefix: string
  readonly rows: number
  readonly dimension: number
  /** One a column. */
  readonly matrices: readonly Float32Array[]
  readonly model?: string
}

const timeoutMs = 60_000
let files = 0

export async function openShelf(options: ShelfOptions): Promise<Shelf> {
  const { folder, urls, prefix, rows, dimension, matrices, model = 'tests/random' } = options
  const columns = matrices.map((values, i) => {
    const name = `column ${i}`
    // Of several shelves of one name.
    files += 1
    const path = writeNpy(join(folder, `shelf-${files}.npy`), rows, dimension, values)
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
    return { name, path, sha256 }
  })
  const local = await openCollection({ columns })
  const names = columns.map(({ name }) => name)
  const version = createHash('sha256')
    .update(columns.map((c) => c.sha256).join(''))
    .digest('hex')
  const dataset: DatasetInfo = { name: 'anime', version, rows, columns: names }
  const manifest = {
    builder: 'tests',
    dataset: 'anime',
    datasetVersion: version,
    model,
    rows,
    dimension,
    modelRevision: revision,
    maxTokens: 256,
    pooling: ['mean'],
    columns: [],
    format: 1 as const,
  }
  const embeddings: Embeddings = { manifest, columns }
  const engine = createEngine({ urls, timeoutMs })
  return {
    dataset,
    embeddings,
    local,
    engine,
    publish: (own) =>
      publishIndex({
        engine,
        prefix,
        dataset,
        embeddings,
        vectors: local,
        spread: { shards: 1, replicas: 0 },
        signal: new AbortController().signal,
        onProgress: () => undefined,
        ...own,
      }),
    async open(through) {
      const found = await findIndex(engine, {
        prefix,
        dataset,
        model,
        revision,
        candidates: undefined,
      })
      const own = through === undefined ? engine : createEngine({ urls: through, timeoutMs })
      return openRemoteIndex({ engine: own, found, timeoutMs })
    },
  }
}

/** Takes documents away behind the back of publications and servers. */
export async function deleteRows(engine: Engine, name: string, rows: Iterable<number>) {
  const lines = Array.from(rows, (row) => `{"delete":{"_id":"${row}"}}\n`).join('')
  const path = `/${name}/_bulk`
  await engine.call({ method: 'POST', path, query: { refresh: true }, lines })
}
