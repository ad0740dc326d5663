/** Collections that tell what their searches read. */
import type { OpenCollection } from './store.js'
import type { VectorIndex } from '../../native/addon/vector-index.js'
import type { MetricsSink, ScanWork } from '../../base/observability/metrics-sink.js'

export interface MeasuredCollections {
  /** Opens indexes whose scans the metrics count. */
  readonly open: OpenCollection
  /** Reports what was read since the last call; costs more than a search may. */
  reportWork(): void
  /** Of all that are open now. */
  mappedBytes(): number
}

interface Opened {
  readonly index: VectorIndex
  readonly reportWork: () => void
}

export function measureCollections(
  open: OpenCollection,
  metrics: MetricsSink,
): MeasuredCollections {
  const opened = new Set<Opened>()
  return {
    async open(dataset, model) {
      const index = await open(dataset, model)
      let reported = workOf(index)
      const reportWork = () => {
        const work = workOf(index)
        metrics.scanned(dataset.name, model, {
          candidates: work.candidates - reported.candidates,
          bytes: work.bytes - reported.bytes,
        })
        reported = work
      }
      const entry = { index, reportWork }
      opened.add(entry)
      return {
        rows: index.rows,
        dimension: index.dimension,
        columns: index.columns,
        ...(index.concurrent !== undefined && { concurrent: index.concurrent }),
        async search(queries: Float32Array, count, k, options = {}) {
          const result = await index.search(queries, count, k, options)
          metrics.sharedScan(dataset.name, model, count)
          return result
        },
        validRows: () => index.validRows(),
        vectors: (row) => index.vectors(row),
        stats: () => index.stats(),
        verify: (verifyOptions) => index.verify?.(verifyOptions) ?? Promise.resolve(0),
        close() {
          if (opened.delete(entry)) reportWork()
          index.close()
        },
      }
    },
    reportWork: () => opened.forEach(({ reportWork }) => reportWork()),
    mappedBytes: () => [...opened].reduce((sum, { index }) => sum + index.stats().mappedBytes, 0),
  }
}

function workOf(index: VectorIndex): ScanWork {
  const { pairsScored = 0, scannedBytes = 0 } = index.stats()
  return { candidates: pairsScored, bytes: scannedBytes }
}
