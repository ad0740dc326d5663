/** What the server receives and answers: the types of its schemas. */
import type { InferInput, InferOutput } from 'valibot'
import type { entryResponse, titlesResponse } from '../../src/server/schemas/browse.js'
import type { reading } from '../../src/server/schemas/interpretation.js'
import type { mapResponse } from '../../src/server/schemas/map.js'
import type { problem } from '../../src/server/schemas/problem.js'
import type { facetsResponse } from '../../src/server/schemas/facets.js'
import type { recommendRequest, recommendResponse } from '../../src/server/schemas/recommend.js'
import type { searchRequest, searchResponse } from '../../src/server/schemas/search.js'
import type { userListResponse } from '../../src/server/schemas/user-lists.js'
import type { similarResponse } from '../../src/server/schemas/similar.js'

export type Problem = InferOutput<typeof problem>
export type Facets = InferOutput<typeof facetsResponse>
export type Facet = Facets['genres'][number]
export type CompletedTitle = InferOutput<typeof titlesResponse>['titles'][number]
export type Entry = InferOutput<typeof entryResponse>
export type Reading = InferOutput<typeof reading>
export type Similar = InferOutput<typeof similarResponse>['results'][number]
export type UserList = InferOutput<typeof userListResponse>
export type MapData = InferOutput<typeof mapResponse>
export type SearchRequest = InferInput<typeof searchRequest>
export type RecommendRequest = InferInput<typeof recommendRequest>
export type SearchAnswer = InferOutput<typeof searchResponse>
type RecommendAnswer = InferOutput<typeof recommendResponse>
/** A result of a search, or of recommendations, which say why. */
export type Result = SearchAnswer['results'][number] &
  Partial<Pick<RecommendAnswer['results'][number], 'because'>>
export type ResultTag = NonNullable<Result['tags']>[number]
export type FranchiseEntry = NonNullable<Result['franchiseEntries']>[number]
