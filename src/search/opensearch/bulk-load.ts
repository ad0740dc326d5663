/** Sends rows in bulk: a few requests at a time, slower where the engine is busy. */
import { setTimeout as delay } from 'node:timers/promises'
import type { VectorIndex } from '../../native/addon/vector-index.js'
import type { RowBlock } from './block-counts.js'
import type { Engine } from './engine.js'
import { IndexUnavailableError } from '../../base/errors/index.js'
import { normalized } from './score-bound.js'
import { encode } from './stored-rows.js'

export interface LoadOptions {
  readonly engine: Engine
  readonly name: string
  readonly vectors: VectorIndex
  readonly blocks: readonly RowBlock[]
  readonly hasGraph: boolean
  readonly signal: AbortSignal
  /** Called after each request. */
  readonly onLoaded: (rows: number, waitMs: number) => void
}

interface BulkAnswer {
  readonly errors: boolean
  readonly items: readonly {
    readonly index: { readonly _id: string; readonly status: number; readonly error?: object }
  }[]
}

/** The engine takes requests of a few megabytes best. */
const bulkBytes = 4 * 2 ** 20
const requestsAtOnce = 2
const bulkMs = 120_000
const firstWaitMs = 200
const longestWaitMs = 30_000
/** A cluster that replaces a node is back by then. */
const patienceMs = 180_000

/** Documents have the row as their id, so what is sent twice is there once. */
export async function loadRows(options: LoadOptions): Promise<void> {
  const { blocks, signal, onLoaded } = options
  const requests = requestsOf(options)
  const send = async () => {
    for await (const documents of requests) {
      signal.throwIfAborted()
      const waitMs = await sendAll(documents, options)
      onLoaded(documents.size, waitMs)
    }
  }
  if (blocks.length === 0) return
  await Promise.all(Array.from({ length: requestsAtOnce }, send))
}

/** Documents by row, as two lines each; as many as fit into one request. */
async function* requestsOf({
  vectors,
  blocks,
  hasGraph,
}: LoadOptions): AsyncGenerator<ReadonlyMap<number, string>> {
  let documents = new Map<number, string>()
  let bytes = 0
  for (const { begin, end } of blocks) {
    for (let row = begin; row < end; row += 1) {
      const lines = documentOf(row, await vectors.vectors(row), vectors.dimension, hasGraph)
      documents.set(row, lines)
      bytes += lines.length
      if (bytes < bulkBytes) continue
      yield documents
      documents = new Map()
      bytes = 0
    }
  }
  if (documents.size > 0) yield documents
}

function documentOf(row: number, all: Float32Array, dimension: number, hasGraph: boolean): string {
  const stored = encode(all, dimension)
  const columns = stored.has.map((column) => {
    const vector = normalized(all.subarray(column * dimension, (column + 1) * dimension))
    return { column, vector: Array.from(vector ?? [], shortest), ...(hasGraph && { row }) }
  })
  const source = { row, ...stored, columns }
  return `{"index":{"_id":"${row}"}}\n${JSON.stringify(source)}\n`
}

/** Nine digits tell every float32 from its neighbours. */
const shortest = (value: number): number => Number(value.toPrecision(9))

/** Returns the last wait. What the engine was too busy for is sent again. */
async function sendAll(
  documents: ReadonlyMap<number, string>,
  { engine, name, signal }: LoadOptions,
): Promise<number> {
  let rest = documents
  let waitMs = 0
  const begunMs = performance.now()
  for (;;) {
    try {
      const lines = [...rest.values()].join('')
      const path = `/${name}/_bulk`
      const answer = await engine.call<BulkAnswer>({
        method: 'POST',
        path,
        lines,
        signal,
        timeoutMs: bulkMs,
      })
      if (answer === undefined) throw new Error(`${name} was removed while it was loaded`)
      rest = restOf(answer, rest)
      if (rest.size === 0) return waitMs
    } catch (error) {
      if (!(error instanceof IndexUnavailableError)) throw error
      if (performance.now() - begunMs > patienceMs) throw error
    }
    waitMs = Math.min(longestWaitMs, Math.max(firstWaitMs, waitMs * 2)) * (0.5 + Math.random() / 2)
    await delay(waitMs, undefined, { signal })
  }
}

/** @throws Error for a document that the engine refuses */
function restOf(
  { errors, items }: BulkAnswer,
  sent: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  if (!errors) return new Map()
  const failed = items.filter(({ index }) => index.status >= 300)
  const refused = failed.find(({ index }) => index.status < 500 && index.status !== 429)
  if (refused !== undefined) {
    throw new Error(`the search engine refuses a document: ${JSON.stringify(refused.index.error)}`)
  }
  return new Map(failed.map(({ index }) => [Number(index._id), sent.get(Number(index._id)) ?? '']))
}
