/** POST /embed (also at /), /rerank, /similarity, /tokenize and GET /info, as clients of text-embeddings-inference call them. */
import { ValidationError } from '../../../../base/errors/index.js'
import type { Operation } from '../../openapi/operation.js'
import { admitProblems, bodyProblems } from '../../openapi/problems.js'
import { reportPhases } from '../../phases.js'
import type { Guards, Route } from '../../route.js'
import { errorShapes } from '../../v1/error-shapes.js'
import { countInputs } from '../../v1/parts.js'
import { requireOnly } from '../../v1/only-value.js'
import { readRequest } from '../../v1/read-request.js'
import {
  embedRequest,
  embedResponse,
  infoResponse,
  similarityRequest,
  similarityResponse,
  teiRerankRequest,
  teiRerankResponse,
  readOptionsOf,
  teiRerankValues,
  tokenizeRequest,
  tokenizeResponse,
} from '../../v1/tei-schemas.js'
import { numbersOf, vectorsJson } from '../../v1/vectors-json.js'
import { rerankDocuments } from './rerank.js'
import { byScore, jsonType, modelProblems, type V1Services } from './services.js'

export function teiRoutes(
  { inference, settings, version }: V1Services,
  { admit, work }: Guards,
): Route[] {
  const common = { group: 'v1', guards: admit } as const
  const embed = (path: string, operation: Operation): Route => ({
    ...common,
    method: 'POST',
    path,
    operation,
    async handler(c) {
      const request = await readRequest(c, embedRequest, settings, 'inputs', countInputs)
      const { inputs, model, dimensions, normalize, truncate } = request
      const options = readOptionsOf(request)
      const json = await work(c, async () => {
        const toEmbed = { model, inputs: inputs.list, dimensions, normalize, ...options }
        const embedded = await inference.embed(toEmbed, c.get('signal'))
        if (!truncate) requireWhole('inputs', embedded)
        reportPhases(c, embedded.timings)
        return vectorsJson(embedded, numbersOf, '[', ']')
      })
      return c.body(json, 200, jsonType)
    },
  })
  return [
    embed('/embed', embedding),
    embed('/', { ...embedding, id: 'teiEmbedAtRoot' }),
    {
      ...common,
      method: 'POST',
      path: '/tokenize',
      operation: tokenizing,
      async handler(c) {
        const request = await readRequest(c, tokenizeRequest, settings, 'inputs')
        const { promptName } = readOptionsOf(request)
        const texts = [request.inputs].flat()
        const { model, add_special_tokens: specialTokens } = request
        return c.json(
          await work(c, () => inference.tokenize({ model, texts, promptName, specialTokens })),
        )
      },
    },
    {
      ...common,
      method: 'POST',
      path: '/rerank',
      operation: reranking,
      async handler(c) {
        const request = await readRequest(c, teiRerankRequest, settings, ['texts', 'documents'])
        requireOnly(request, teiRerankValues)
        const { query, texts = [], documents, model } = request
        if (documents !== undefined) {
          const rerankRequest = { ...request, documents }
          return c.json(
            await work(c, () => rerankDocuments(inference, rerankRequest, c.get('signal'))),
          )
        }
        const scored = await work(c, () =>
          inference.score({ model, query, texts }, c.get('signal')),
        )
        if (!request.truncate) requireWhole('texts', scored)
        const scoreOf = (index: number) => scored.scores[index] ?? 0
        return c.json(
          byScore(scored).map((index) => ({
            index,
            score: request.raw_scores ? logitOf(scoreOf(index)) : scoreOf(index),
            ...(request.return_text && { text: texts[index] ?? '' }),
          })),
        )
      },
    },
    {
      ...common,
      method: 'POST',
      path: '/similarity',
      operation: comparing,
      async handler(c) {
        const request = await readRequest(c, similarityRequest, settings, 'inputs.sentences')
        const { source_sentence: source, sentences } = request.inputs
        const { model, parameters } = request
        const options = readOptionsOf(parameters ?? {})
        const inputs = [source, ...sentences]
        const embedded = await work(c, () =>
          inference.embed({ model, inputs, normalize: true, ...options }, c.get('signal')),
        )
        if (parameters?.truncate === false) requireWhole('inputs', embedded)
        reportPhases(c, embedded.timings)
        const { vectors, dimension } = embedded
        return c.json(
          sentences.map((_, position) => {
            const begin = (position + 1) * dimension
            let dot = 0
            for (let i = 0; i < dimension; i += 1) {
              dot += (vectors[i] ?? 0) * (vectors[begin + i] ?? 0)
            }
            return dot
          }),
        )
      },
    },
    {
      ...common,
      method: 'GET',
      path: '/info',
      operation: informing,
      async handler(c) {
        const facts = await work(c, () => inference.encoderFacts(undefined))
        const { model, maxTokens, revision, pooling } = facts
        return c.json({
          model_id: model,
          model_sha: revision ?? null,
          model_dtype: 'float32',
          model_type: { embedding: { pooling: pooling ?? 'mean' } },
          max_concurrent_requests: settings.limitConcurrency,
          max_input_length: maxTokens,
          max_batch_tokens: maxTokens * settings.v1MaxInputs,
          max_client_batch_size: settings.v1MaxInputs,
          auto_truncate: true,
          version,
        })
      },
    },
  ]
}

/** @throws ValidationError */
function requireWhole(path: string, { truncated }: { readonly truncated: number }): void {
  if (truncated === 0) return
  const message =
    `expected texts that the model reads whole, ${truncated} are longer; ` +
    'truncate: true cuts them, and GET /info has the length'
  throw new ValidationError([{ path, message }])
}

/** Scores of 0 and 1 have no logit that JSON could hold. */
function logitOf(score: number): number {
  const inside = Math.min(Math.max(score, 1e-30), 1 - 2 ** -24)
  return Math.log(inside / (1 - inside))
}

const shared = { tag: 'Drop-in shapes', errors: errorShapes.tei } as const
const problems = [
  ...bodyProblems,
  ...admitProblems,
  ...modelProblems,
  'too-many-inputs',
  'unsupported-value',
] as const

const embedding: Operation = {
  ...shared,
  id: 'teiEmbed',
  summary: 'Vectors of texts, in the shape of text-embeddings-inference',
  description: 'By `--search-encoder`, or by the model that the request names.',
  body: {
    schema: embedRequest,
    examples: {
      texts: { summary: 'Two texts', value: { inputs: ['a robot at school', 'a ship at sea'] } },
    },
  },
  responses: {
    200: { description: 'The vectors.', headers: ['Server-Timing'], schema: embedResponse },
  },
  problems,
}
const reranking: Operation = {
  ...shared,
  id: 'teiRerank',
  summary: 'Texts in the order of a query, in the shape of text-embeddings-inference',
  description: 'By `--cross-encoder`, or by the model that the request names.',
  body: {
    schema: teiRerankRequest,
    examples: {
      texts: {
        summary: 'Two texts',
        value: { query: 'a robot at school', texts: ['A ship at sea.', 'A robot is a pupil.'] },
      },
      documents: {
        summary: 'In the shape of Jina, Infinity and vLLM',
        value: { query: 'a robot at school', documents: ['A ship at sea.', 'A robot.'], top_n: 1 },
      },
    },
  },
  responses: { 200: { description: 'Positions and scores.', schema: teiRerankResponse } },
  problems,
}
const tokenizing: Operation = {
  ...shared,
  id: 'teiTokenize',
  summary: 'The tokens of texts, in the shape of text-embeddings-inference',
  description: 'Of the tokenizer of `--search-encoder`, or of the model that the request names.',
  body: {
    schema: tokenizeRequest,
    examples: { text: { summary: 'One text', value: { inputs: 'a robot at school' } } },
  },
  responses: { 200: { description: 'The tokens.', schema: tokenizeResponse } },
  problems,
}
const comparing: Operation = {
  ...shared,
  id: 'teiSimilarity',
  summary: 'How similar sentences are to one, in the shape of text-embeddings-inference',
  description: 'The cosine of their vectors.',
  body: {
    schema: similarityRequest,
    examples: {
      texts: {
        summary: 'Two sentences',
        value: {
          inputs: { source_sentence: 'a robot at school', sentences: ['a pupil', 'a ship at sea'] },
        },
      },
    },
  },
  responses: {
    200: {
      description: 'A cosine for each sentence.',
      headers: ['Server-Timing'],
      schema: similarityResponse,
    },
  },
  problems,
}
const informing: Operation = {
  ...shared,
  id: 'teiInfo',
  summary: 'The default encoder and the limits, in the shape of text-embeddings-inference',
  description: 'Loads the encoder where it is not loaded.',
  responses: { 200: { description: 'What is served.', schema: infoResponse } },
  problems: [...admitProblems, ...modelProblems],
}
