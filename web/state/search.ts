/** Sends the query that is shown, and keeps what came back. */
import { batch, computed, effect, signal } from '@preact/signals'
import {
  fetchSearch,
  RequestError,
  resultsPerPage,
  searchCall,
  type SearchCall,
} from '../lib/api.js'
import { merge, type Found } from '../lib/merge.js'
import { isEmpty, type DatasetName } from '../lib/query.js'
import { datasets } from '../lib/server.js'
import type { SearchAnswer } from '../lib/types.js'
import { knownOf } from './my-list.js'
import { pages, query } from './navigation.js'

export type SearchState =
  | { readonly status: 'idle' | 'loading' | 'done' }
  | { readonly status: 'failed'; readonly error: RequestError; readonly isMore: boolean }

export const search = signal<SearchState>({ status: 'idle' })

/** The pages of a dataset that came. */
interface Answered {
  readonly dataset: DatasetName
  readonly answers: readonly SearchAnswer[]
}

const answered = signal<readonly Answered[]>([])
/** The results that came, also while the next ones or another search are on their way. */
export const found = computed<Found>(() =>
  merge(answered.value, query.value.sort, pages.value * resultsPerPage),
)
/** The first call whose results are shown, or on their way. */
export const call = signal<SearchCall | undefined>(undefined)

/** Recent answers, so that going back shows them at once. */
const kept = new Map<string, SearchAnswer>()
const maxKept = 40
let running: AbortController | undefined

effect(() => {
  const now = query.value
  const wanted = pages.value
  // What is hidden changes the results, too.
  for (const dataset of searched()) knownOf(dataset)
  // The search stays as it is behind the page of a work.
  if (now.work !== undefined) return
  if (isEmpty(now)) {
    running?.abort()
    batch(() => {
      search.value = { status: 'idle' }
      answered.value = []
      call.value = undefined
    })
  } else void run(wanted)
})

/** Sends what failed once more. */
export function retry(): void {
  void run(pages.peek())
}

function searched(): readonly DatasetName[] {
  const { both, dataset } = query.peek()
  return both ? datasets : [dataset]
}

async function run(wanted: number): Promise<void> {
  running?.abort()
  const controller = new AbortController()
  running = controller
  const callsOf = (dataset: DatasetName) =>
    Array.from({ length: wanted }, (_, at) =>
      searchCall(query.peek(), { dataset, page: at + 1 }, knownOf(dataset)),
    )
  const calls = searched().map((dataset) => ({ dataset, calls: callsOf(dataset) }))
  const first = calls[0]?.calls[0]
  const before = call.peek()
  const isSame = first !== undefined && before !== undefined && keyOf(first) === keyOf(before)
  call.value = first
  const cached = calls.flatMap(({ dataset, calls: own }) => {
    const answers = keptAnswers(own)
    return answers === undefined ? [] : [{ dataset, answers }]
  })
  if (cached.length === calls.length) {
    // At once, so that what had the focus is there again for it.
    batch(() => {
      answered.value = cached
      search.value = { status: 'done' }
    })
    return
  }
  const answersOf = async (own: readonly SearchCall[], answers: SearchAnswer[]) => {
    for (const next of own) {
      answers.push(kept.get(keyOf(next)) ?? (await ask(next, controller.signal)))
      if (controller.signal.aborted || !hasMore(answers)) return
    }
  }
  const all = calls.map(({ dataset, calls: own }) => ({
    dataset,
    own,
    answers: [] as SearchAnswer[],
  }))
  try {
    await Promise.all(all.map(({ own, answers }) => answersOf(own, answers)))
    if (controller.signal.aborted) return
    batch(() => {
      answered.value = all
      search.value = { status: 'done' }
    })
  } catch (error) {
    if (controller.signal.aborted) return
    const fault = error instanceof RequestError ? error : new RequestError(String(error))
    batch(() => {
      if (!isSame) answered.value = all.filter(({ answers }) => answers.length > 0)
      search.value = { status: 'failed', error: fault, isMore: found.value.results.length > 0 }
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

/** The search of the address runs before the rest of this file, so this is a function that is hoisted. */
function keyOf({ path, body }: SearchCall): string {
  return path + JSON.stringify(body)
}

/** Undefined where one of them is not kept. */
function keptAnswers(calls: readonly SearchCall[]): readonly SearchAnswer[] | undefined {
  const answers: SearchAnswer[] = []
  for (const next of calls) {
    const answer = kept.get(keyOf(next))
    if (answer === undefined) return undefined
    answers.push(answer)
    if (!hasMore(answers)) break
  }
  return answers
}

function hasMore(answers: readonly SearchAnswer[]): boolean {
  const pagination = answers.at(-1)?.pagination
  return pagination !== undefined && pagination.page < pagination.totalPages
}
