/** The messages of OpenAI's routes: one schema each validates, types and documents it. */
import * as v from 'valibot'
import { count, text, unlike } from '../../schemas/parts.js'
import { oneValue } from './only-value.js'
import { openObject, optionalCount, optionalText, textInputs } from './parts.js'

export const embeddingsRequest = v.pipe(
  openObject({
    input: textInputs(
      'A text, texts, or ids of the tokenizer of the model. Of a text that is longer than the model reads, the beginning counts.',
    ),
    model: optionalText('As GET /v1/models lists it; the default is `--search-encoder`.'),
    encoding_format: v.optional(
      v.pipe(
        v.nullish(v.picklist(['float', 'base64'], unlike('float or base64')), 'float'),
        v.description('`base64`: the bytes of the float32 numbers, little-endian.'),
      ),
      'float',
    ),
    dimensions: optionalCount(
      'Length of the vectors; only those that the model is made for (Matryoshka).',
    ),
    modality: oneValue('text', 'Only text; an addition of Infinity.'),
    user: optionalText('Not used.'),
  }),
  v.title('EmbeddingsRequest'),
  v.description('Texts, and the model that encodes them. Other members are not used.'),
)

const usage = v.object({
  prompt_tokens: count('Tokens that the model read, its special ones included.'),
  total_tokens: count('The same.'),
})

export const embeddingsResponse = v.pipe(
  v.object({
    object: v.literal('list'),
    data: v.array(
      v.object({
        object: v.literal('embedding'),
        index: count('Position of the text in the request.'),
        embedding: v.pipe(
          v.union([v.array(v.number()), v.string()]),
          v.description('Numbers, or their bytes in base64.'),
        ),
      }),
    ),
    model: text('The whole name of the model.'),
    usage,
  }),
  v.title('Embeddings'),
)

export const modelId = text('What requests name it by.', 'builtin/static-en')

export const v1Model = v.pipe(
  v.object({
    id: modelId,
    object: v.literal('model'),
    created: count('When its files were written, in seconds since 1970.'),
    owned_by: text('The part of its name before the slash.', 'builtin'),
    capabilities: v.pipe(
      v.array(v.picklist(['embed', 'rerank'])),
      v.description('What the model can be used for; an addition of Infinity.'),
    ),
  }),
  v.title('V1Model'),
)

export const v1Models = v.pipe(
  v.object({
    object: v.literal('list'),
    data: v.pipe(
      v.array(v1Model),
      v.description('Encoders for /v1/embeddings, then rankers for /v1/rerank.'),
    ),
  }),
  v.title('V1Models'),
)
