/** The work whose page is open. */
import { batch, effect, signal } from '@preact/signals'
import { fetchEntry, fetchSimilar, RequestError } from '../lib/api.js'
import { has } from '../lib/server.js'
import type { Entry, Similar } from '../lib/types.js'
import { query } from './navigation.js'

export type WorkState =
  | { readonly status: 'none' | 'loading' }
  | { readonly status: 'done'; readonly entry: Entry }
  | { readonly status: 'failed'; readonly error: RequestError }

export const work = signal<WorkState>({ status: 'none' })
export const nearest = signal<readonly Similar[]>([])

let running: AbortController | undefined
let shown = ''

effect(() => {
  const { dataset, work: id, titles } = query.value
  const key = id === undefined ? '' : `${dataset}/${id}/${titles}`
  if (key === shown) return
  shown = key
  void open()
})

/** Requests the work that the address names. */
export async function open(): Promise<void> {
  running?.abort()
  const controller = new AbortController()
  running = controller
  const { work: id } = query.peek()
  batch(() => {
    nearest.value = []
    work.value = { status: id === undefined ? 'none' : 'loading' }
  })
  if (id === undefined) return
  try {
    const entry = await fetchEntry(query.peek(), id, controller.signal)
    if (!controller.signal.aborted) work.value = { status: 'done', entry }
    if (!has('similar')) return
    // A work without a text has no neighbours, and the page does without them.
    const found = await fetchSimilar(query.peek(), id, controller.signal).catch(() => [])
    if (!controller.signal.aborted) nearest.value = found
  } catch (error) {
    if (controller.signal.aborted) return
    const fault = error instanceof RequestError ? error : new RequestError(String(error))
    work.value = { status: 'failed', error: fault }
  }
}
