/** Collections that tell what their searches read. */
import type { OpenCollection } from './store.js'
import type { IndexStats, VectorIndex } from '../native/vector-index.js'
import type { MetricsSink } from '../observability/metrics-sink.js'

export interface MeasuredCollections {
  /** Opens indexes that tell the meter. */
  readonly open: OpenCollection
  /** Tells the meter how many vectors were scored since it was told last; costs more than a search may. */
  tellSurvivors(): void
  /** Of all that are open now. */
  mappedBytes(): number
}

interface Opened {
  readonly index: VectorIndex
  readonly tellSurvivors: () => void
}

export function measureCollections(open: OpenCollection, meter: MetricsSink): MeasuredCollections {
  const opened = new Set<Opened>()
  return {
    async open(dataset, model) {
      const index = await open(dataset, model)
      let told = index.stats().pairsScored ?? 0
      const tellSurvivors = () => {
        const { pairsScored = 0 } = index.stats()
        meter.candidates(dataset.name, model, pairsScored - told)
        told = pairsScored
      }
      const entry = { index, tellSurvivors }
      opened.add(entry)
      const bytes = index.columns.map((_, column) => sweptBytes(index, column))
      const allBytes = sumOf(bytes)
      return {
        rows: index.rows,
        dimension: index.dimension,
        columns: index.columns,
        async search(queries: Float32Array, count, k, options = {}) {
          const answer = await index.search(queries, count, k, options)
          const swept = options.columns?.map((column) => bytes[column] ?? 0)
          meter.sharedScan(dataset.name, model, {
            queries: count,
            bytes: swept === undefined ? allBytes : sumOf(swept),
          })
          return answer
        },
        validRows: () => index.validRows(),
        vectors: (row) => index.vectors(row),
        stats: () => index.stats(),
        close() {
          if (opened.delete(entry)) tellSurvivors()
          index.close()
        },
      }
    },
    tellSurvivors: () => opened.forEach(({ tellSurvivors }) => tellSurvivors()),
    mappedBytes: () => [...opened].reduce((sum, { index }) => sum + index.stats().mappedBytes, 0),
  }
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** What a sweep reads of a column: its shadow where it has one, else all of it. */
function sweptBytes(index: VectorIndex, column: number): number {
  const { shadows }: IndexStats = index.stats()
  const shadow = shadows?.[column]
  if (shadow && 'bytes' in shadow && shadow.bytes > 0) return shadow.bytes
  return index.rows * index.dimension * Float32Array.BYTES_PER_ELEMENT
}
