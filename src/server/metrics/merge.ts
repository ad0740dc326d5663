/**
 * The reports of several processes as one. What is counted is added up; what a process that died had
 * counted until its last report stays in the sum, because a counter that falls looks to Prometheus
 * like a restart of the whole server.
 */
import { AggregatorRegistry, Registry } from 'prom-client'
import type { ProcessReport, Report } from './process-report.js'

export const metricsType: string = Registry.PROMETHEUS_CONTENT_TYPE

/** The metrics of a server of one process. */
export async function textOf({ report }: ProcessReport): Promise<string> {
  return createReportMerger().text(await report())
}

export interface ReportMerger {
  /** The latest report of a process, instead of an earlier one. */
  put(process: number, report: Report): void
  /** The process is gone; its counts stay. */
  retire(process: number): void
  /** In the text format of Prometheus. @param own the report of the process that merges */
  text(own?: Report): Promise<string>
}

export function createReportMerger(): ReportMerger {
  const latest = new Map<number, Report>()
  let retired: Report = []
  return {
    put: (process, report) => void latest.set(process, report),
    retire(process) {
      const report = latest.get(process) ?? []
      latest.delete(process)
      // What `aggregate` makes holds its values, which its type does not say.
      retired = merged([retired, report.filter(isLasting)]).getMetricsAsArray() as Report
    },
    text: (own = []) => merged([own, ...latest.values(), retired]).metrics(),
  }
}

/** Counts of the service; memory, and what the process itself counts, went with it. */
const isLasting = ({ name, type }: Report[number]) =>
  name.startsWith('synoptic_') && ['counter', 'histogram'].includes(String(type))

const merged = (reports: readonly Report[]) => AggregatorRegistry.aggregate([...reports])
