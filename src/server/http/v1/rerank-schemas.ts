/** The messages of the routes that rerank as Cohere's and Jina's do. */
import * as v from 'valibot'
import { amount, count, kindOf, text } from '../../schemas/parts.js'
import { flag, oneText, openObject, optionalCount, optionalText } from './parts.js'

export type Document = string | Readonly<Record<string, unknown>>

const document = v.union(
  [oneText('A text.'), v.record(v.string(), v.unknown())],
  ({ input }) => `expected a text or an object with texts, received ${kindOf(input)}`,
)

/** The members of a request; a route may add others. */
export const rerankMembers = {
  model: optionalText(
    'A cross-encoder, or builtin/maxsim-en, as GET /v1/models lists it; the default is `--cross-encoder`.',
  ),
  query: oneText('What the documents are compared with.'),
  documents: v.pipe(
    v.array(document, ({ input }) => `expected a list of documents, received ${kindOf(input)}`),
    v.minLength(1, 'expected at least one document, received an empty list'),
    v.description('Texts, or objects whose `rank_fields` are texts.'),
  ),
  top_n: optionalCount('How many results to return; all by default.'),
  rank_fields: v.optional(
    v.pipe(
      v.nullish(
        v.array(
          v.string(({ input }) => `expected the name of a field, received ${kindOf(input)}`),
          ({ input }) => `expected a list of names, received ${kindOf(input)}`,
        ),
        ['text'],
      ),
      v.description('Fields of the documents that are compared, a line each.'),
    ),
    ['text'],
  ),
  return_documents: flag(false, 'Whether each result has its document.'),
}

export const rerankRequest = v.pipe(
  openObject(rerankMembers),
  v.title('RerankRequest'),
  v.description('A query and documents. Other members are not used.'),
)

const rerankedMembers = {
  model: text('The whole name of the model.'),
  results: v.pipe(
    v.array(
      v.object({
        index: count('Position of the document in the request.'),
        relevance_score: amount('How well the document fits the query, 0 to 1.'),
        document: v.exactOptional(
          v.pipe(v.record(v.string(), v.unknown()), v.description('The document.')),
        ),
      }),
    ),
    v.description('The best first; of equal ones the first in the request.'),
  ),
  usage: v.object({ total_tokens: count('Tokens that the model read.') }),
}

export const rerankResponse = v.pipe(
  v.object({
    id: text('Finds the request in the log.'),
    ...rerankedMembers,
    meta: v.object({
      api_version: v.object({ version: text('1 or 2.') }),
      billed_units: v.object({ search_units: count('1 for each request.') }),
    }),
  }),
  v.title('Reranked'),
)

/** In the shape of Jina, Infinity and vLLM. */
export const jinaRerankResponse = v.pipe(v.object(rerankedMembers), v.title('JinaReranked'))
