import { describe, expect, it } from 'vitest'
import { createReportMerger, textOf } from '#synoptic/server/metrics/merge.js'
import { createMetrics } from '#synoptic/server/metrics/metrics.js'
import { readMetrics, sumOf } from '../observability/text.js'

const request = { route: '/x', method: 'GET', status: 200, seconds: 0.003 }

describe('the metrics of several processes', () => {
  it('are added up where they count, and kept apart where they belong to a process', async () => {
    const processes = ['1', '2', '3'].map(createMetrics)
    const merger = createReportMerger()
    for (const [i, metrics] of processes.entries()) {
      for (let n = 0; n <= i; n++) metrics.request(request)
      metrics.watch(() => ({ requests: i, mappedBytes: 100, modelBytes: 10, damaged: 0 }))
      merger.put(i, await metrics.report())
    }
    const samples = readMetrics(await merger.text())
    expect(sumOf(samples, 'synoptic_request_duration_seconds_count')).toBe(6)
    expect(sumOf(samples, 'synoptic_request_duration_seconds_bucket', { le: '0.002' })).toBe(0)
    expect(sumOf(samples, 'synoptic_request_duration_seconds_bucket', { le: '0.005' })).toBe(6)
    const mapped = samples.filter(({ name }) => name === 'synoptic_mapped_bytes')
    expect(mapped.map(({ labels, value }) => [labels.worker, value])).toEqual([
      ['1', 100],
      ['2', 100],
      ['3', 100],
    ])
    const resident = samples.filter(({ name }) => name === 'process_resident_memory_bytes')
    expect(resident).toHaveLength(3)
  })

  it('never fall when a process dies, and hold nothing of it but its counts', async () => {
    const merger = createReportMerger()
    for (let process = 0; process < 50; process++) {
      const metrics = createMetrics(String(process))
      metrics.request(request)
      metrics.request({ ...request, problem: 'not-found' })
      merger.put(process, await metrics.report())
      merger.retire(process)
      merger.retire(process)
    }
    const samples = readMetrics(await merger.text())
    expect(sumOf(samples, 'synoptic_request_duration_seconds_count')).toBe(100)
    expect(sumOf(samples, 'synoptic_problems_total', { problem: 'not-found' })).toBe(50)
    expect(samples.filter(({ labels }) => labels.worker !== undefined)).toEqual([])
  })

  it('take the last report of a process, and that alone', async () => {
    const metrics = createMetrics('1')
    const merger = createReportMerger()
    metrics.request(request)
    merger.put(1, await metrics.report())
    metrics.request(request)
    merger.put(1, await metrics.report())
    const samples = readMetrics(await merger.text())
    expect(sumOf(samples, 'synoptic_request_duration_seconds_count')).toBe(2)
  })
})

describe('the report of a process', () => {
  it('reports its memory, its CPU time and how late its event loop is', async () => {
    const samples = readMetrics(await textOf(createMetrics('1')))
    expect(sumOf(samples, 'process_resident_memory_bytes', { worker: '1' })).toBeGreaterThan(1e7)
    expect(sumOf(samples, 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(samples.map(({ name }) => name)).toContain('nodejs_eventloop_lag_p99_seconds')
  })

  it('reads what is held at that moment', async () => {
    const metrics = createMetrics('1')
    let requests = 1
    metrics.watch(() => ({ requests, mappedBytes: 0, modelBytes: 0, damaged: 0 }))
    expect(sumOf(readMetrics(await textOf(metrics)), 'synoptic_requests_in_flight')).toBe(1)
    requests = 7
    expect(sumOf(readMetrics(await textOf(metrics)), 'synoptic_requests_in_flight')).toBe(7)
  })
})
