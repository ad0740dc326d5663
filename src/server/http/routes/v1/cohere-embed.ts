/** POST /v1/embed and /v2/embed, as clients of Cohere call them. */
import { UnsupportedValueError, ValidationError } from '../../../../base/errors/index.js'
import type { Inference } from '../../../../search/inference/inference.js'
import type { Operation } from '../../openapi/operation.js'
import { admitProblems, bodyProblems } from '../../openapi/problems.js'
import { reportPhases } from '../../phases.js'
import type { Guards, Route } from '../../route.js'
import { cohereEmbedRequest, cohereEmbedResponse, type InputType } from '../../v1/cohere-schemas.js'
import { errorShapes } from '../../v1/error-shapes.js'
import { requireOnly, shownValue } from '../../v1/only-value.js'
import { readRequest } from '../../v1/read-request.js'
import { base64Of, numbersOf, vectorsJson } from '../../v1/vectors-json.js'
import { jsonType, modelProblems, type V1Services } from './services.js'

export function cohereEmbedRoutes(
  { inference, settings }: V1Services,
  { admit, work }: Guards,
): Route[] {
  return (['1', '2'] as const).map((version) => ({
    group: 'v1',
    method: 'POST',
    path: `/v${version}/embed`,
    operation: embedding(version),
    guards: admit,
    async handler(c) {
      const request = await readRequest(c, cohereEmbedRequest, settings, 'texts')
      requireOnly(request, { inputs: null, images: null })
      const types = typesOf(request.embedding_types ?? null)
      const { model, texts, truncate, output_dimension: dimensions } = request
      const json = await work(c, async () => {
        const promptName = await promptOf(request.input_type ?? null, model, inference)
        const cut = truncate === 'START' ? 'start' : 'end'
        const toEmbed = {
          model,
          inputs: texts,
          dimensions,
          normalize: true,
          promptName,
          cut,
        } as const
        const embedded = await inference.embed(toEmbed, c.get('signal'))
        reportPhases(c, embedded.timings)
        if (truncate === 'NONE' && embedded.truncated > 0) throw tooLong(embedded.truncated)
        const isPlain = version === '1' && types === undefined
        const lists = await Promise.all(
          (types ?? ['float']).map(async (type) => {
            const write =
              type === 'float' ? numbersOf : (vector: Float32Array) => `"${base64Of(vector)}"`
            const list = await vectorsJson(embedded, write, '[', ']')
            return isPlain ? list : `"${type}":${list}`
          }),
        )
        const embeddings = isPlain ? lists.join('') : `{${lists.join(',')}}`
        const rest = JSON.stringify({
          id: c.get('requestId'),
          texts,
          meta: { api_version: { version }, billed_units: { input_tokens: embedded.tokens } },
          response_type: isPlain ? 'embeddings_floats' : 'embeddings_by_type',
        })
        return `${rest.slice(0, -1)},"embeddings":${embeddings}}`
      })
      return c.body(json, 200, jsonType)
    },
  }))
}

type EmbeddingType = 'float' | 'base64'

/** @throws UnsupportedValueError for another type than these */
function typesOf(types: readonly unknown[] | null): readonly EmbeddingType[] | undefined {
  if (types === null || types.length === 0) return undefined
  const problems = types.flatMap((type, at) => {
    if (type === 'float' || type === 'base64') return []
    const message = `expected float or base64, received ${shownValue(type)}`
    return [{ path: `embedding_types.${at}`, message }]
  })
  if (problems.length > 0) throw new UnsupportedValueError(problems)
  return [...new Set(types as readonly EmbeddingType[])]
}

/** Names that publishers give to the prompts of a purpose, those of sentence-transformers first. */
const promptNames: Readonly<Record<InputType, readonly string[]>> = {
  search_query: ['query', 'search_query'],
  search_document: ['document', 'passage', 'corpus', 'search_document'],
  classification: ['classification'],
  clustering: ['clustering'],
  image: [],
}

/** The model's prompt of that purpose, if it has one. Rejects with an UnsupportedValueError for images. */
async function promptOf(
  type: InputType | null,
  model: string | undefined,
  inference: Pick<Inference, 'encoderFacts'>,
): Promise<string | undefined> {
  if (type === null) return undefined
  if (type === 'image') {
    const message = 'expected the purpose of texts, received "image"'
    throw new UnsupportedValueError([{ path: 'input_type', message }])
  }
  const { prompts } = await inference.encoderFacts(model)
  return promptNames[type].find((name) => prompts.includes(name))
}

function tooLong(count: number): ValidationError {
  const message = `expected texts that the model reads whole, ${count} are longer; truncate: "END" cuts them`
  return new ValidationError([{ path: 'texts', message }])
}

const embedding = (version: string): Operation => ({
  id: `embedV${version}`,
  tag: 'Drop-in shapes',
  summary: `Vectors of texts, in the shape of Cohere ${version}`,
  description: 'The vectors are those of `sentence-transformers`, at length 1.',
  errors: errorShapes.cohere,
  body: {
    schema: cohereEmbedRequest,
    examples: {
      texts: {
        summary: 'Two texts',
        value: {
          model: 'builtin/static-en',
          input_type: 'search_document',
          texts: ['a robot goes to school', 'a ship at sea'],
          embedding_types: ['float'],
        },
      },
    },
  },
  responses: {
    200: {
      description: 'A vector for each text, in the order of the request.',
      headers: ['Server-Timing'],
      schema: cohereEmbedResponse,
    },
  },
  problems: [
    ...bodyProblems,
    ...admitProblems,
    ...modelProblems,
    'too-many-inputs',
    'unsupported-value',
  ],
})
