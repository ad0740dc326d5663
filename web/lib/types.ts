/** What the server receives and answers: the types of its schemas. */
import type { InferInput, InferOutput } from 'valibot'
import type {
  entryResponse,
  facetsResponse,
  titlesResponse,
} from '../../src/http/schemas/browse.js'
import type { reading } from '../../src/http/schemas/interpretation.js'
import type { problem } from '../../src/http/schemas/problem.js'
import type { searchRequest, searchResponse } from '../../src/http/schemas/search.js'
import type { similarResponse } from '../../src/http/schemas/similar.js'

export type Problem = InferOutput<typeof problem>
export type Facets = InferOutput<typeof facetsResponse>
export type Facet = Facets['genres'][number]
export type CompletedTitle = InferOutput<typeof titlesResponse>['titles'][number]
export type Entry = InferOutput<typeof entryResponse>
export type Reading = InferOutput<typeof reading>
export type Similar = InferOutput<typeof similarResponse>['results'][number]

/** Members that a server may not know yet; each of them may be absent. */
export interface SearchMore {
  readonly page?: number
  readonly group?: 'franchise'
  readonly fields?: readonly string[]
  readonly explain?: boolean
  readonly ignore?: readonly (readonly [number, number])[]
  readonly tags?: Readonly<Record<string, readonly string[]>>
  readonly audience?: readonly string[]
  readonly studio?: readonly string[]
}
export type SearchRequest = InferInput<typeof searchRequest> & SearchMore

export interface ResultMore {
  readonly type?: string | null
  readonly year?: number | null
  readonly episodes?: number | null
  readonly volumes?: number | null
  readonly studios?: readonly string[]
  readonly authors?: readonly string[]
  readonly genres?: readonly string[]
  readonly tags?: readonly ResultTag[]
  readonly titleEnglish?: string | null
  readonly titleJapanese?: string | null
  readonly score10?: number | null
  readonly links?: readonly { readonly site: string; readonly url: string }[]
  readonly franchiseEntries?: readonly FranchiseEntry[]
  readonly explain?: Explain
}
export interface ResultTag {
  readonly tag: string
  readonly name?: string | undefined
  readonly family?: string | null | undefined
  readonly weight?: number | null | undefined
}
export interface FranchiseEntry {
  readonly id: number
  readonly title: string
  readonly type?: string | null
  readonly year?: number | null
  readonly place?: string | null
}
export interface Explain {
  /** Parts of the synopsis that matched. */
  readonly words?: readonly (readonly [number, number])[]
  /** What the work has of what was asked. */
  readonly facts?: readonly string[]
}

type Answer = InferOutput<typeof searchResponse>
export type Result = Answer['results'][number] & ResultMore
export interface Pagination {
  readonly page: number
  readonly totalResults: number
  readonly totalPages: number
}
export type SearchAnswer = Omit<Answer, 'results'> & {
  readonly results: readonly Result[]
  readonly pagination?: Pagination
}
