/** How an index of a dataset's vectors looks in the engine: names, fields, and what it says of itself. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'

/** Of names, fields and documents; what has another one is not read. */
export const layoutVersion = 1

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const indexMeta = v.object({
  layout: v.literal(layoutVersion),
  /** Program and version that wrote it. */
  builder: v.string(),
  dataset: v.string(),
  datasetVersion: v.string(),
  model: v.string(),
  modelRevision: v.string(),
  dimension: v.pipe(count, v.minValue(1)),
  rows: count,
  columns: v.array(v.string()),
  /** SHA-256 of the matrices that were published, a column each. */
  matrices: v.array(v.string()),
  validRows: count,
  validVectors: v.array(count),
  /** How vectors can be searched besides by a scan of all. */
  graph: v.optional(v.literal('hnsw')),
})
export type IndexMeta = v.InferOutput<typeof indexMeta>

export function readMeta(value: unknown): IndexMeta | undefined {
  const result = v.safeParse(indexMeta, value)
  return result.success ? result.output : undefined
}

export interface Naming {
  readonly prefix: string
  readonly dataset: string
  readonly model: string
}

/** What searches ask for; it points to the index that is served. */
export function aliasOf({ prefix, dataset, model }: Naming): string {
  const slug = model.toLowerCase().replace(/[^a-z0-9._-]+/g, '-')
  return `${prefix}-${dataset}-${slug}`
}

/**
 * What all indices have that are loaded to their end. Not a word in `_meta`: k-NN 2.19 loses the shards of an index for
 * a moment when its mapping changes.
 */
export const wholeAliasOf = (naming: Naming): string => `${aliasOf(naming)}-whole`

/** The same for the same content: a publication that was killed finds what it has begun. */
export function indexName(prefix: string, meta: IndexMeta, shards: number): string {
  const { layout, datasetVersion, modelRevision, dimension, rows, columns, matrices, graph } = meta
  const content = [
    layout,
    datasetVersion,
    modelRevision,
    dimension,
    rows,
    columns,
    matrices,
    shards,
    ...(graph === undefined ? [] : [graph]),
  ]
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return `${aliasOf({ prefix, dataset: meta.dataset, model: meta.model })}-${hash.slice(0, 12)}`
}

/** Of Lucene, which every node has: other engines of k-NN need libraries of their own. */
const graphMethod = {
  name: 'hnsw',
  engine: 'lucene',
  space_type: 'innerproduct',
  parameters: { m: 16, ef_construction: 128 },
}

/** No replica while it is loaded: they are copied once it is whole. */
export function indexBody(meta: IndexMeta, shards: number): object {
  const hasGraph = meta.graph !== undefined
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: 0,
        refresh_interval: '-1',
        ...(hasGraph && { knn: true }),
        // Deep pages and widened requests; the engine counts what they take and refuses what is too much.
        max_result_window: Math.max(10_000, meta.rows + 1),
      },
    },
    mappings: {
      dynamic: 'strict',
      _meta: { synoptic: meta },
      // The engine compares its own copies; only the exact ones come back.
      _source: { excludes: ['columns'] },
      properties: {
        row: { type: 'integer' },
        /** The columns with a valid vector, in the order of their vectors. */
        has: { type: 'short' },
        /** Their float32 as they are, little endian. */
        vectors: { type: 'binary' },
        columns: {
          type: 'nested',
          properties: {
            column: { type: 'short' },
            /** Of length one. */
            vector: {
              type: 'knn_vector',
              dimension: meta.dimension,
              ...(hasGraph && { method: graphMethod }),
            },
            // A filter of the graph reads fields that are next to the vector, or others, but not both.
            ...(hasGraph && { row: { type: 'integer' } }),
          },
        },
      },
    },
  }
}
