/** How many documents of each block of rows the engine has; publications go on by them. */
import type { Engine } from './engine.js'

export interface RowBlock {
  readonly begin: number
  readonly end: number
}

const rowsPerBlock = 500
/** The engine answers with at most 65,535 buckets. */
const blocksPerCall = 10_000
const countMs = 60_000

interface Counts {
  readonly _shards: { readonly total: number; readonly successful: number }
  readonly aggregations: {
    readonly blocks: { readonly buckets: readonly { key: number; doc_count: number }[] }
  }
}

/** Blocks that are not there whole, in the order of their rows. */
export async function missingBlocks(
  engine: Engine,
  name: string,
  rows: number,
): Promise<readonly RowBlock[]> {
  const refreshed = { method: 'POST', path: `/${name}/_refresh`, timeoutMs: countMs } as const
  await engine.call(refreshed)
  const missing: RowBlock[] = []
  const step = rowsPerBlock * blocksPerCall
  for (let first = 0; first < rows; first += step) {
    const counts = await countBlocks(engine, name, first, first + step)
    for (let begin = first; begin < Math.min(rows, first + step); begin += rowsPerBlock) {
      const end = Math.min(rows, begin + rowsPerBlock)
      if (counts.get(begin) !== end - begin) missing.push({ begin, end })
    }
  }
  return missing
}

async function countBlocks(engine: Engine, name: string, begin: number, end: number) {
  const answer = await engine.call<Counts>({
    method: 'POST',
    path: `/${name}/_search`,
    query: { allow_partial_search_results: false },
    timeoutMs: countMs,
    body: {
      size: 0,
      query: { range: { row: { gte: begin, lt: end } } },
      aggs: {
        blocks: { histogram: { field: 'row', interval: rowsPerBlock, min_doc_count: 1 } },
      },
    },
  })
  const buckets = answer?.aggregations.blocks.buckets ?? []
  return new Map(buckets.map(({ key, doc_count }) => [key, doc_count]))
}

interface VectorCount {
  readonly aggregations: { readonly columns: { readonly doc_count: number } }
}

/** Vectors of all columns. */
export async function totalVectors(engine: Engine, name: string): Promise<number> {
  const answer = await engine.call<VectorCount>({
    method: 'POST',
    path: `/${name}/_search`,
    query: { allow_partial_search_results: false },
    timeoutMs: countMs,
    body: { size: 0, aggs: { columns: { nested: { path: 'columns' } } } },
  })
  return answer?.aggregations.columns.doc_count ?? 0
}
