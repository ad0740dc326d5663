/** The events of the server, of the last five minutes. */
import { batch, effect, signal } from '@preact/signals'
import type { StatusEvent } from '../../src/server/http/status-events.js'
import { key, keyHeaders } from '../lib/key.js'
import { readSamples, type Sample } from '../lib/metrics.js'

interface Moment {
  readonly at: number
  readonly samples: readonly Sample[]
}

const windowMs = 5 * 60 * 1000

/** A connection that is not back by then is lost. */
const graceMs = 4000
/** The server ends a stream after a while; a moment later the page reconnects. */
const retryMs = 500

const moments = signal<readonly Moment[]>([])
export const health = signal<StatusEvent['health'] | undefined>(undefined)
export const gpu = signal<StatusEvent['gpu']>(null)
export const searches = signal<StatusEvent['searches']>(null)
export const connection = signal<'waiting' | 'live' | 'lost' | 'locked'>('waiting')
/** Why the server wants another key. */
export const refusal = signal('')

let timer: ReturnType<typeof setTimeout> | undefined

type Headers = ReturnType<typeof keyHeaders>

/** Follows the events until it is called off, and starts again with another key. */
export function watch(): () => void {
  return effect(() => {
    const left = new AbortController()
    void follow(left.signal, keyHeaders(key.value))
    return () => left.abort()
  })
}

async function follow(signal: AbortSignal, headers: Headers): Promise<void> {
  for (;;) {
    const isLocked = await read(signal, headers).catch(() => false)
    if (isLocked || signal.aborted) return
    timer ??= setTimeout(() => (connection.value = 'lost'), graceMs)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

/** Reads one stream to its end. EventSource would do so too, but it sends no key. @returns whether a key is needed */
async function read(signal: AbortSignal, headers: Headers): Promise<boolean> {
  const path = moments.peek().length === 0 ? 'status/events?history=true' : 'status/events'
  const response = await fetch(path, { signal, headers })
  if (response.status === 401 || response.status === 403) {
    const { detail } = (await response.json()) as { readonly detail: string }
    clearTimeout(timer)
    timer = undefined
    batch(() => {
      refusal.value = detail
      connection.value = 'locked'
    })
    return true
  }
  if (!response.ok || response.body === null) return false
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return false
    const events = (text + value).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) show(event)
  }
}

/** @param event lines of the event stream; its data are one line */
function show(event: string): void {
  const line = event.split('\n').find((line) => line.startsWith('data: '))
  if (line === undefined) return
  clearTimeout(timer)
  timer = undefined
  const {
    at,
    health: report,
    gpu: plan,
    searches: searched,
    metrics,
    history = [],
  } = JSON.parse(line.slice('data: '.length)) as StatusEvent
  batch(() => {
    connection.value = 'live'
    health.value = report
    gpu.value = plan
    searches.value = searched
    const past = history.map((moment) => ({
      at: moment.at,
      samples: readSamples(moment.metrics),
    }))
    const kept = [...past, ...moments.value].filter((moment) => moment.at > at - windowMs)
    moments.value = [...kept, { at, samples: readSamples(metrics) }]
  })
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
