/** Titles for what is being typed. */
import { batch, signal } from '@preact/signals'
import { fetchTitles } from '../lib/api.js'
import type { DatasetName } from '../lib/query.js'
import { datasets, has } from '../lib/server.js'
import type { CompletedTitle } from '../lib/types.js'
import { query } from './navigation.js'

export type OfferedTitle = CompletedTitle & { readonly dataset: DatasetName }

export const titles = signal<readonly OfferedTitle[]>([])
const mostTitles = 7
/** The position of the chosen title; -1 for none. */
export const active = signal(-1)

/** Typing pauses so long before a request. */
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
  const { dataset, both, filters, titles: language } = query.value
  const searched: readonly DatasetName[] = both ? datasets : [dataset]
  try {
    const lists = await Promise.all(
      searched.map(async (each) => {
        const call = { prefix, adult: filters.adult, titles: language }
        const found = await fetchTitles(each, call, controller.signal)
        return found.map((title) => ({ ...title, dataset: each }))
      }),
    )
    if (!controller.signal.aborted) titles.value = byTurns(lists).slice(0, mostTitles)
  } catch {
    // Completion helps where it can; the search itself reports what is wrong.
    if (!controller.signal.aborted) close()
  }
}

/** Of each dataset the best, then the second best. */
function byTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
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
