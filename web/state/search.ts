/** Sends the query that is shown, and keeps what came back. */
import { batch, effect, signal } from '@preact/signals'
import { fetchSearch, RequestError, searchCall, type SearchCall } from '../lib/api.js'
import type { SearchAnswer } from '../lib/types.js'
import { pages, query } from './navigation.js'

export type SearchState =
  | { readonly status: 'idle' | 'loading' }
  | { readonly status: 'done'; readonly answers: readonly SearchAnswer[] }
  | { readonly status: 'failed'; readonly error: RequestError; readonly isMore: boolean }

export const search = signal<SearchState>({ status: 'idle' })
/** The pages that came, also while the next one or another search is on its way. */
export const answers = signal<readonly SearchAnswer[]>([])
/** The call whose results are shown, or on their way. */
export const call = signal<SearchCall | undefined>(undefined)

/** Recent answers, so that going back shows them at once. */
const kept = new Map<string, SearchAnswer>()
const maxKept = 40
let running: AbortController | undefined

effect(() => {
  const { text, work } = query.value
  const wanted = pages.value
  // The search stays as it is behind the page of a work.
  if (work !== undefined) return
  if (text === '') {
    running?.abort()
    batch(() => {
      search.value = { status: 'idle' }
      answers.value = []
      call.value = undefined
    })
  } else void run(wanted)
})

/** Sends what failed once more. */
export function retry(): void {
  void run(pages.peek())
}

async function run(wanted: number): Promise<void> {
  running?.abort()
  const controller = new AbortController()
  running = controller
  const calls = Array.from({ length: wanted }, (_, at) => searchCall(query.peek(), at + 1))
  const found: SearchAnswer[] = []
  const isSame = JSON.stringify(calls[0]) === JSON.stringify(call.peek())
  call.value = calls[0]
  try {
    for (const next of calls) {
      const answer = kept.get(keyOf(next)) ?? (await ask(next, controller.signal))
      if (controller.signal.aborted) return
      found.push(answer)
      if (!hasMore(found)) break
    }
    batch(() => {
      answers.value = found
      search.value = { status: 'done', answers: found }
    })
  } catch (error) {
    if (controller.signal.aborted) return
    const fault = error instanceof RequestError ? error : new RequestError(String(error))
    batch(() => {
      if (!isSame) answers.value = found
      search.value = { status: 'failed', error: fault, isMore: found.length > 0 }
    })
  }
}

async function ask(next: SearchCall, signal: AbortSignal): Promise<SearchAnswer> {
  search.value = { status: 'loading' }
  const answer = await fetchSearch(next, signal)
  kept.set(keyOf(next), answer)
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return answer
}

function keyOf(value: SearchCall): string {
  return JSON.stringify(value)
}

/** Whether there are results past those; not where the server knows no pages. */
export function hasMore(found: readonly SearchAnswer[]): boolean {
  const pagination = found.at(-1)?.pagination
  return pagination !== undefined && pagination.page < pagination.totalPages
}
