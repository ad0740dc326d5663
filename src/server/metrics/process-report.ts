/** A registry of metrics with those of the process in it: CPU, memory, event loop, garbage collection. */
import {
  collectDefaultMetrics,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client'

/** As it crosses between processes. */
export type Report = MetricObjectWithValues<MetricValue<string>>[]

export interface ProcessReport {
  readonly registry: Registry
  readonly report: () => Promise<Report>
}

/** @param worker label of what belongs to the process, where processes must not be added up */
export function createProcessReport(worker: string): ProcessReport {
  const registry = new Registry()
  let isWatching = false
  return {
    registry,
    async report() {
      // Watching the event loop wakes the process a hundred times a second, so it waits for a reader.
      if (!isWatching) collectDefaultMetrics({ register: registry, labels: { worker } })
      isWatching = true
      const metrics = await registry.getMetricsAsJSON()
      // A mean of nothing is not a number; it is left out until there is something.
      return metrics.map((metric) => {
        return { ...metric, values: metric.values.filter(({ value }) => !Number.isNaN(value)) }
      })
    },
  }
}
