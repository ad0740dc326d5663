/** Collections that tell what their searches read. */
import type { OpenCollection } from './store.js'
import type { IndexStats, VectorIndex } from '../native/vector-index.js'
import type { MetricsSink } from '../observability/metrics-sink.js'

export interface MeasuredCollections {
  /** Opens indexes whose scans the metrics count. */
  readonly open: OpenCollection
  /** Counts the vectors that were scored since the last call; costs more than a search may. */
  countCandidates(): void
  /** Of all that are open now. */
  mappedBytes(): number
}

interface Opened {
  readonly index: VectorIndex
  readonly countCandidates: () => void
}

export function measureCollections(
  open: OpenCollection,
  metrics: MetricsSink,
): MeasuredCollections {
  const opened = new Set<Opened>()
  return {
    async open(dataset, model) {
      const index = await open(dataset, model)
      let counted = index.stats().pairsScored ?? 0
      const countCandidates = () => {
        const { pairsScored = 0 } = index.stats()
        metrics.candidates(dataset.name, model, pairsScored - counted)
        counted = pairsScored
      }
      const entry = { index, countCandidates }
      opened.add(entry)
      const bytes = index.columns.map((_, column) => sweptBytes(index, column))
      const allBytes = sumOf(bytes)
      return {
        rows: index.rows,
        dimension: index.dimension,
        columns: index.columns,
        async search(queries: Float32Array, count, k, options = {}) {
          const result = await index.search(queries, count, k, options)
          const swept = options.columns?.map((column) => bytes[column] ?? 0)
          metrics.sharedScan(dataset.name, model, {
            queries: count,
            bytes: swept === undefined ? allBytes : sumOf(swept),
          })
          return result
        },
        validRows: () => index.validRows(),
        vectors: (row) => index.vectors(row),
        stats: () => index.stats(),
        close() {
          if (opened.delete(entry)) countCandidates()
          index.close()
        },
      }
    },
    countCandidates: () => opened.forEach(({ countCandidates }) => countCandidates()),
    mappedBytes: () => [...opened].reduce((sum, { index }) => sum + index.stats().mappedBytes, 0),
  }
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** What a shared scan reads of a column: its codes where it has them, else all of it. */
function sweptBytes(index: VectorIndex, column: number): number {
  const stats: IndexStats = index.stats()
  const codes = stats.codes?.[column]
  if (codes && 'bytes' in codes && codes.bytes > 0) return codes.bytes
  return index.rows * index.dimension * Float32Array.BYTES_PER_ELEMENT
}
