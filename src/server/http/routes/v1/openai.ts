/** POST /v1/embeddings and /embeddings, GET /v1/models and /v1/models/{id}, as OpenAI's clients call them. */
import type { ServedModel } from '../../../../search/inference/served-models.js'
import type { Operation } from '../../openapi/operation.js'
import { admitProblems, bodyProblems } from '../../openapi/problems.js'
import { reportPhases } from '../../phases.js'
import type { Guards, Route } from '../../route.js'
import { errorShapes } from '../../v1/error-shapes.js'
import {
  embeddingsRequest,
  embeddingsResponse,
  modelId,
  v1Model,
  v1Models,
} from '../../v1/openai-schemas.js'
import { countInputs } from '../../v1/parts.js'
import { requireOnly } from '../../v1/only-value.js'
import { readRequest } from '../../v1/read-request.js'
import { base64Of, numbersOf, vectorsJson } from '../../v1/vectors-json.js'
import { jsonType, modelProblems, type V1Services } from './services.js'

export function openAiRoutes(
  { inference, settings }: V1Services,
  { admit, work }: Guards,
): Route[] {
  const common = { group: 'v1', guards: admit } as const
  const embeddings = (path: string, operation: Operation): Route => ({
    ...common,
    method: 'POST',
    path,
    operation,
    async handler(c) {
      const request = await readRequest(c, embeddingsRequest, settings, 'input', countInputs)
      requireOnly(request, { modality: 'text' })
      const { input, model, dimensions, encoding_format: format } = request
      const json = await work(c, async () => {
        const toEmbed = { model, inputs: input.list, dimensions }
        const embedded = await inference.embed(toEmbed, c.get('signal'))
        reportPhases(c, embedded.timings)
        const { tokens } = embedded
        const usage = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens })
        return vectorsJson(
          embedded,
          (vector, row) => {
            const numbers = format === 'base64' ? `"${base64Of(vector)}"` : numbersOf(vector)
            return `{"object":"embedding","index":${row},"embedding":${numbers}}`
          },
          '{"object":"list","data":[',
          `],"model":${JSON.stringify(embedded.model)},"usage":${usage}}`,
        )
      })
      return c.body(json, 200, jsonType)
    },
  })
  return [
    embeddings('/v1/embeddings', embedding),
    embeddings('/embeddings', { ...embedding, id: 'createEmbeddingsWithoutV1' }),
    {
      ...common,
      method: 'GET',
      path: '/v1/models',
      operation: listing,
      async handler(c) {
        const models = await work(c, () => inference.models())
        return c.json({ object: 'list', data: models.map(describe) })
      },
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/models/:id{.+}',
      operation: describing,
      async handler(c) {
        const model = await work(c, () => inference.model(c.req.param('id') ?? ''))
        return c.json(describe(model))
      },
    },
  ]
}

const describe = ({ name, kind, createdSeconds }: ServedModel) => ({
  id: name,
  object: 'model' as const,
  created: createdSeconds,
  owned_by: name.includes('/') ? name.slice(0, name.indexOf('/')) : 'fine-tuned',
  capabilities: [kind === 'encoder' ? ('embed' as const) : ('rerank' as const)],
})

const shared = { tag: 'Drop-in shapes', errors: errorShapes.openAi } as const

const embedding: Operation = {
  ...shared,
  id: 'createEmbeddings',
  summary: 'Vectors of texts, in the shape of OpenAI',
  description: `The vectors are those of \`sentence-transformers\`. One request has at most
\`--v1-max-inputs\` texts; they wait in the same queues as searches, under the same time limit.`,
  body: {
    schema: embeddingsRequest,
    examples: {
      texts: {
        summary: 'Two texts',
        value: { model: 'builtin/static-en', input: ['a robot goes to school', 'a ship at sea'] },
      },
    },
  },
  responses: {
    200: {
      description: 'A vector for each text, in the order of the request.',
      headers: ['Server-Timing'],
      schema: embeddingsResponse,
    },
  },
  problems: [
    ...bodyProblems,
    ...admitProblems,
    ...modelProblems,
    'too-many-inputs',
    'unsupported-value',
  ],
}
const listing: Operation = {
  ...shared,
  id: 'listV1Models',
  summary: 'Installed models, in the shape of OpenAI',
  description: 'Encoders, cross-encoders, the built-in ranker and fine-tuned models.',
  responses: { 200: { description: 'The models.', schema: v1Models } },
  problems: admitProblems,
}
const describing: Operation = {
  ...shared,
  id: 'getV1Model',
  summary: 'One of them',
  description: 'Slashes of the name may stand as they are or as `%2F`.',
  path: { id: modelId },
  responses: { 200: { description: 'The model.', schema: v1Model } },
  problems: [...admitProblems, 'model-not-found', 'model-not-installed'],
}
