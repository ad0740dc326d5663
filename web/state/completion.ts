/** Titles for what is being typed. */
import { batch, signal } from '@preact/signals'
import { fetchTitles } from '../lib/api.js'
import { has } from '../lib/server.js'
import type { CompletedTitle } from '../lib/types.js'
import { query } from './navigation.js'

export const titles = signal<readonly CompletedTitle[]>([])
/** The position of the chosen title; -1 for none. */
export const active = signal(-1)

/** Typing pauses so long before the server is asked. */
const pauseMs = 90
/** Nobody types a title so long; it is a description. */
const longestTitle = 60

let timer: ReturnType<typeof setTimeout> | undefined
let running: AbortController | undefined

export function complete(text: string): void {
  close()
  const prefix = text.trim()
  if (!has('browse') || prefix.length < 2 || prefix.length > longestTitle) return
  timer = setTimeout(() => void ask(prefix), pauseMs)
}

async function ask(prefix: string): Promise<void> {
  const controller = new AbortController()
  running = controller
  const { dataset, filters } = query.value
  try {
    const found = await fetchTitles(dataset, { prefix, adult: filters.adult }, controller.signal)
    if (!controller.signal.aborted) titles.value = found
  } catch {
    // Completion helps where it can; the search itself reports what is wrong.
    if (!controller.signal.aborted) close()
  }
}

export function close(): void {
  clearTimeout(timer)
  running?.abort()
  batch(() => {
    titles.value = []
    active.value = -1
  })
}

/** The next title, or none after the last and before the first. */
export function move(step: 1 | -1): void {
  const count = titles.value.length
  active.value = ((active.value + 1 + step + count + 1) % (count + 1)) - 1
}
