/** The events of the server, of the last five minutes. */
import { batch, signal } from '@preact/signals'
import type { StatusEvent } from '../../src/http/status-events.js'
import { readSamples, type Sample } from '../lib/metrics.js'

export interface Moment {
  readonly at: number
  readonly samples: readonly Sample[]
}

export const windowMs = 5 * 60 * 1000

/** A connection that is not back by then is lost. */
const graceMs = 4000

export const moments = signal<readonly Moment[]>([])
export const health = signal<StatusEvent['health'] | undefined>(undefined)
export const gpu = signal<StatusEvent['gpu']>(null)
export const connection = signal<'waiting' | 'live' | 'lost'>('waiting')

export function watch(): () => void {
  const source = new EventSource('status/events')
  let timer: ReturnType<typeof setTimeout> | undefined
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    clearTimeout(timer)
    timer = undefined
    const { at, health: report, gpu: plan, metrics } = JSON.parse(data) as StatusEvent
    batch(() => {
      connection.value = 'live'
      health.value = report
      gpu.value = plan
      const kept = moments.value.filter((moment) => moment.at > at - windowMs)
      moments.value = [...kept, { at, samples: readSamples(metrics) }]
    })
  })
  // The server ends a stream after a while, and the browser asks again by itself.
  source.addEventListener('error', () => {
    timer ??= setTimeout(() => (connection.value = 'lost'), graceMs)
  })
  return () => source.close()
}

/** The first and the last moment of the window. */
export function ends(): { before: readonly Sample[]; now: readonly Sample[]; seconds: number } {
  const [first] = moments.value
  const last = moments.value.at(-1)
  const seconds = first && last ? (last.at - first.at) / 1000 : 0
  return { before: first?.samples ?? [], now: last?.samples ?? [], seconds }
}

/** A value of each step from one moment to the next. */
export function steps(
  valueOf: (before: readonly Sample[], now: readonly Sample[], seconds: number) => number,
): number[] {
  return moments.value.slice(1).map((moment, at) => {
    const before = moments.value[at]
    const seconds = (moment.at - (before?.at ?? moment.at)) / 1000
    return seconds > 0 ? valueOf(before?.samples ?? [], moment.samples, seconds) : 0
  })
}
