import createOpenApiClient, { type Client } from 'openapi-fetch'
import { errorOf } from './errors.js'
import type { components, paths } from './openapi.js'
import { resultsOf } from './pages.js'
import { createFetch, type RetryOptions } from './retry.js'
import type * as t from './types.js'

type Schemas = components['schemas']

export interface SynopticOptions extends Partial<RetryOptions> {
  /** Default: http://localhost:8000. It may have a path, as behind a proxy. */
  readonly baseUrl?: string
  /** For servers with `--api-keys`. */
  readonly apiKey?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A Synoptic server. Every method throws a SynopticError, a ConnectionError, or the reason of its signal. */
export class Synoptic {
  /** Every route of the server as openapi-fetch has it: with retries, and errors as values. */
  readonly http: Client<paths>

  constructor(options: SynopticOptions = {}) {
    const { baseUrl = 'http://localhost:8000', apiKey, headers } = options
    const { retries = 2, maxRetrySeconds = 30, fetch = globalThis.fetch.bind(globalThis) } = options
    this.http = createOpenApiClient<paths>({
      baseUrl,
      headers: { ...headers, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
      fetch: createFetch({ retries, maxRetrySeconds, fetch }),
    })
  }

  /** Works that fit a query, by a ranker that reads query and synopsis together. */
  async search(
    dataset: t.Dataset,
    body: t.SearchBody,
    options: t.CallOptionsWith<t.SearchParams> = {},
  ): Promise<t.SearchAnswer> {
    return one<t.SearchAnswer>(await this.#postSearch(dataset, body, options))
  }

  /** The same for up to 64 queries; answers come in their order. */
  async searchEach(
    dataset: t.Dataset,
    body: t.SearchEachBody,
    options: t.CallOptionsWith<t.SearchParams> = {},
  ): Promise<(t.SearchAnswer | t.FailedText)[]> {
    return each<t.SearchAnswer>(await this.#postSearch(dataset, body, options))
  }

  /** The results of `search` over all pages. */
  searchAll(
    dataset: t.Dataset,
    body: t.SearchBody,
    options: t.CallOptionsWith<t.SearchParams> = {},
  ): AsyncGenerator<t.RankedEntry, void, undefined> {
    return resultsOf(body.page, (page) => this.search(dataset, { ...body, page }, options))
  }

  /** Works whose texts are near a description, by a named model. */
  async searchModel(
    dataset: t.Dataset,
    body: t.SearchModelBody,
    options: t.CallOptionsWith<t.SearchModelParams> = {},
  ): Promise<t.SearchModelAnswer> {
    return one<t.SearchModelAnswer>(await this.#postSearchModel(dataset, body, options))
  }

  /** The same for up to 64 descriptions; answers come in their order. */
  async searchModelEach(
    dataset: t.Dataset,
    body: t.SearchModelEachBody,
    options: t.CallOptionsWith<t.SearchModelParams> = {},
  ): Promise<(t.SearchModelAnswer | t.FailedText)[]> {
    return each<t.SearchModelAnswer>(await this.#postSearchModel(dataset, body, options))
  }

  /** The results of `searchModel` over all pages. */
  searchModelAll(
    dataset: t.Dataset,
    body: t.SearchModelBody,
    options: t.CallOptionsWith<t.SearchModelParams> = {},
  ): AsyncGenerator<t.SimilarEntry, void, undefined> {
    return resultsOf(body.page, (page) => this.searchModel(dataset, { ...body, page }, options))
  }

  /** The works most like a work. */
  async similar(
    dataset: t.Dataset,
    id: number,
    { params = {}, signal }: t.CallOptionsWith<t.SimilarParams> = {},
  ): Promise<t.SimilarAnswer> {
    const path = `/similar/${dataset}/{id}` as '/similar/anime/{id}'
    return unwrap(
      await this.http.GET(path, { params: { path: { id }, query: params }, ...by(signal) }),
    )
  }

  /** The results of `similar` over all pages. */
  similarAll(
    dataset: t.Dataset,
    id: number,
    { params = {}, ...options }: t.CallOptionsWith<t.SimilarParams> = {},
  ): AsyncGenerator<t.SimilarAnswer['results'][number], void, undefined> {
    return resultsOf(params.page, (page) =>
      this.similar(dataset, id, { ...options, params: { ...params, page } }),
    )
  }

  /** Titles while somebody types. */
  async titles(
    dataset: t.Dataset,
    prefix: string,
    { params = {}, signal }: t.CallOptionsWith<t.TitlesParams> = {},
  ): Promise<t.CompletedTitle[]> {
    const path = `/titles/${dataset}` as '/titles/anime'
    const query = { ...params, prefix }
    return unwrap(await this.http.GET(path, { params: { query }, ...by(signal) })).titles
  }

  /** All that is known of a work. */
  async entry(dataset: t.Dataset, id: number, { signal }: t.CallOptions = {}): Promise<t.Entry> {
    const path = `/entries/${dataset}/{id}` as '/entries/anime/{id}'
    return unwrap(await this.http.GET(path, { params: { path: { id } }, ...by(signal) }))
  }

  /** What works can be filtered by, with counts. */
  async facets(dataset: t.Dataset, { signal }: t.CallOptions = {}): Promise<t.Facets> {
    const path = `/facets/${dataset}` as '/facets/anime'
    return unwrap(await this.http.GET(path, by(signal)))
  }

  /** Reports to the server which result was the right one; it needs `--feedback`. */
  async confirm(
    dataset: t.Dataset,
    body: t.FeedbackBody,
    { signal }: t.CallOptions = {},
  ): Promise<void> {
    const path = `/feedback/${dataset}` as '/feedback/anime'
    unwrap(await this.http.POST(path, { body, ...by(signal) }))
  }

  /** Adds entries, and replaces those with the same ids; at most 10,000. It needs a key with the scope `write`, as do the next. */
  async putEntries(
    dataset: t.Dataset,
    entries: t.EntryBody[],
    { signal }: t.CallOptions = {},
  ): Promise<t.Task> {
    const path = `/entries/${dataset}` as '/entries/anime'
    return unwrap(await this.http.PUT(path, { body: entries, ...by(signal) }))
  }

  /** Changes members of an entry. */
  async patchEntry(
    dataset: t.Dataset,
    id: number,
    changes: t.EntryChanges,
    { signal }: t.CallOptions = {},
  ): Promise<t.Task> {
    const path = `/entries/${dataset}/{id}` as '/entries/anime/{id}'
    const params = { path: { id } }
    return unwrap(await this.http.PATCH(path, { body: changes, params, ...by(signal) }))
  }

  /** Deletes an entry. */
  async deleteEntry(
    dataset: t.Dataset,
    id: number,
    { signal }: t.CallOptions = {},
  ): Promise<t.Task> {
    const path = `/entries/${dataset}/{id}` as '/entries/anime/{id}'
    return unwrap(await this.http.DELETE(path, { params: { path: { id } }, ...by(signal) }))
  }

  /** Deletes entries by ids, or by the conditions of a search. */
  async deleteEntries(
    dataset: t.Dataset,
    body: t.Deletion,
    { signal }: t.CallOptions = {},
  ): Promise<t.Task> {
    const path = `/entries/${dataset}/delete` as '/entries/anime/delete'
    return unwrap(await this.http.POST(path, { body, ...by(signal) }))
  }

  /** The latest writes, the newest first. */
  async tasks({ params = {}, signal }: t.CallOptionsWith<t.TasksParams> = {}): Promise<t.Task[]> {
    return unwrap(await this.http.GET('/tasks', { params: { query: params }, ...by(signal) })).tasks
  }

  /** What became of a write: searches find it once it is `done`. */
  async task(id: number, { signal }: t.CallOptions = {}): Promise<t.Task> {
    return unwrap(await this.http.GET('/tasks/{id}', { params: { path: { id } }, ...by(signal) }))
  }

  /** The models that may be named. */
  async models({ signal }: t.CallOptions = {}): Promise<t.Models> {
    return unwrap(await this.http.GET('/models', by(signal)))
  }

  /** What is known of one of them. */
  async model(name: string, { signal }: t.CallOptions = {}): Promise<t.Model> {
    return unwrap(
      await this.http.GET('/models/{name}', { params: { path: { name } }, ...by(signal) }),
    )
  }

  /** The state of the server. */
  async health({ signal }: t.CallOptions = {}): Promise<t.Health> {
    return unwrap(await this.http.GET('/', by(signal)))
  }

  async #postSearch(
    dataset: t.Dataset,
    body: Schemas['SearchRequest'],
    { params = {}, signal }: t.CallOptionsWith<t.SearchParams>,
  ): Promise<Schemas['SearchResponse']> {
    const path = `/search/${dataset}` as '/search/anime'
    const answer = await this.http.POST(path, { body, params: { query: params }, ...by(signal) })
    // openapi-fetch takes pairs for lists of any length.
    return unwrap(answer) as Schemas['SearchResponse']
  }

  async #postSearchModel(
    dataset: t.Dataset,
    body: Schemas['SearchModelRequest'],
    { params = {}, signal }: t.CallOptionsWith<t.SearchModelParams>,
  ): Promise<Schemas['SearchModelResponse']> {
    const path = `/searchmodel/${dataset}` as '/searchmodel/anime'
    return unwrap(await this.http.POST(path, { body, params: { query: params }, ...by(signal) }))
  }
}

const by = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })

function unwrap<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  const { data, error, response } = answer
  if (!response.ok || data === undefined) throw errorOf(response, error)
  return data
}

/** The answer to one text is no list of answers, and the other way round. */
function one<Answer extends object>(answer: Answer | { answers: unknown }): Answer {
  if ('answers' in answer) throw new TypeError('expected one answer, received a list')
  return answer
}

function each<Answer extends object>(
  answer: Answer | { answers: (Answer | t.FailedText)[] },
): (Answer | t.FailedText)[] {
  if (!('answers' in answer)) throw new TypeError('expected a list of answers, received one')
  return answer.answers
}
