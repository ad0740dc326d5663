/** POST /v1/rerank and /v2/rerank, as clients of Cohere and Jina call them. */
import type * as v from 'valibot'
import { ValidationError } from '../../../../base/errors/index.js'
import type { Inference } from '../../../../search/inference/inference.js'
import type { Operation } from '../../openapi/operation.js'
import { admitProblems, bodyProblems } from '../../openapi/problems.js'
import type { Guards, Route } from '../../route.js'
import { errorShapes } from '../../v1/error-shapes.js'
import { readRequest } from '../../v1/read-request.js'
import { type Document, rerankRequest, rerankResponse } from '../../v1/rerank-schemas.js'
import { byScore, modelProblems, type V1Services } from './services.js'

export function rerankRoutes(
  { inference, settings }: V1Services,
  { admit, work }: Guards,
): Route[] {
  return (['1', '2'] as const).map((version) => ({
    group: 'v1',
    method: 'POST',
    path: `/v${version}/rerank`,
    operation: reranking(version),
    guards: admit,
    async handler(c) {
      const request = await readRequest(c, rerankRequest, settings, 'documents')
      const reranked = await work(c, () => rerankDocuments(inference, request, c.get('signal')))
      return c.json({
        id: c.get('requestId'),
        ...reranked,
        meta: { api_version: { version }, billed_units: { search_units: 1 } },
      })
    },
  }))
}

/** Returns what all rerankers of documents answer. Rejects as `Inference.score` does, and with a ValidationError. */
export async function rerankDocuments(
  inference: Inference,
  request: v.InferOutput<typeof rerankRequest>,
  signal: AbortSignal,
) {
  const { model: name, query, documents, rank_fields: fields, top_n: limit } = request
  const texts = documents.map((document, position) => textOf(document, fields, position))
  const scored = await inference.score({ model: name, query, texts }, signal)
  const results = byScore(scored, limit).map((index) => ({
    index,
    relevance_score: scored.scores[index] ?? 0,
    ...(request.return_documents && { document: asObject(documents[index] ?? '') }),
  }))
  return { model: scored.model, results, usage: { total_tokens: scored.tokens } }
}

const asObject = (document: Document) =>
  typeof document === 'string' ? { text: document } : document

/** @throws ValidationError where an object has none of the fields */
function textOf(document: Document, fields: readonly string[], position: number): string {
  if (typeof document === 'string') return document
  const texts = fields.map((field) => document[field]).filter((value) => typeof value === 'string')
  const text = texts.join('\n')
  if (text !== '') return text
  const message = `expected a text in ${fields.join(' or ')}, which rank_fields names`
  throw new ValidationError([{ path: `documents.${position}`, message }])
}

const reranking = (version: string): Operation => ({
  id: `rerankV${version}`,
  tag: 'Drop-in shapes',
  summary: `Documents in the order of a query, in the shape of Cohere ${version} and Jina`,
  description: `By a cross-encoder, or by the built-in ranker, which weighs similarity and words. The score of
a document does not depend on the other documents.`,
  errors: errorShapes.cohere,
  body: {
    schema: rerankRequest,
    examples: {
      texts: {
        summary: 'Two texts',
        value: {
          model: 'builtin/maxsim-en',
          query: 'a robot at school',
          documents: ['A robot becomes a pupil.', 'A ship is lost at sea.'],
          return_documents: true,
        },
      },
    },
  },
  responses: {
    200: { description: 'The best documents, the best first.', schema: rerankResponse },
  },
  problems: [...bodyProblems, ...admitProblems, ...modelProblems, 'too-many-inputs'],
})
