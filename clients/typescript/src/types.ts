/** What the methods take and return, by the names of the server's document. */
import type { components, operations } from './openapi.js'

type Schemas = components['schemas']
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

export type Dataset = 'anime' | 'manga'

export type SearchAnswer = Schemas['SearchAnswer']
export type RankedEntry = Schemas['RankedEntry']
export type SearchModelAnswer = Schemas['SearchModelAnswer']
export type SimilarEntry = Schemas['SimilarEntry']
export type SimilarAnswer = Schemas['SimilarAnswer']
export type Pagination = Schemas['Pagination']
export type Entry = Schemas['Entry']
export type CompletedTitle = Schemas['CompletedTitle']
export type Facets = Schemas['Facets']
export type Models = Schemas['Models']
export type Model = Schemas['Model']
export type Health = Schemas['Health']
/** A text of a batch that has no answer; the others have. */
export type FailedText = Schemas['FailedText']

type Texts = 'query' | 'queries' | 'description' | 'descriptions'
type Settings<Request, More extends string = never> = Omit<Request, Texts | More>

export type SearchBody = Settings<Schemas['SearchRequest']> & { readonly query: string }
export type SearchEachBody = Settings<Schemas['SearchRequest'], 'ignore'> & {
  readonly queries: string[]
}

/** Only words are compared without a model. */
type ModelOrLexical = { readonly model: string } | { readonly mode: 'lexical' }
type ModelSettings = Settings<Schemas['SearchModelRequest']> & ModelOrLexical
export type SearchModelBody = ModelSettings & { readonly description: string }
export type SearchModelEachBody = ModelSettings & { readonly descriptions: string[] }

export type FeedbackBody = Schemas['FeedbackRequest']

/** An entry to write, in the shape of an export. */
export type EntryBody = Schemas['EntryRequest']
export type EntryChanges = Schemas['EntryChangesRequest']
/** By ids, or by the conditions of a search. */
export type Deletion = Schemas['DeletionRequest']
/** What became of a write. */
export type Task = Schemas['Task']
export type TasksParams = QueryOf<'listTasks'>

export type SearchParams = QueryOf<'searchAnime'>
export type SearchModelParams = QueryOf<'searchModelAnime'>
export type SimilarParams = QueryOf<'similarAnime'>
export type TitlesParams = Omit<QueryOf<'completeAnimeTitles'>, 'prefix'>

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface CallOptionsWith<Params> extends CallOptions {
  /** The parameters of the query string. */
  readonly params?: Params
}

/** Whether a text of a batch has an error for its answer. */
export const isFailed = (answer: object): answer is FailedText => 'error' in answer
