/** The messages of /v1/embed and /v2/embed, as Cohere's clients send and read them. */
import * as v from 'valibot'
import { count, text, unlike } from '../../schemas/parts.js'
import { oneValue } from './only-value.js'
import { openObject, optionalCount, optionalText, textList } from './parts.js'

const inputTypes = [
  'search_query',
  'search_document',
  'classification',
  'clustering',
  'image',
] as const
export type InputType = (typeof inputTypes)[number]

const embeddingTypes = ['float', 'base64'] as const

export const cohereEmbedRequest = v.pipe(
  openObject({
    model: optionalText('As GET /v1/models lists it; the default is `--search-encoder`.'),
    texts: textList('The texts.'),
    input_type: v.optional(
      v.pipe(
        v.nullish(v.picklist(inputTypes, unlike(inputTypes.join(', ')))),
        v.description(
          "What the texts are for: chooses the model's prompt of that purpose, if it has one.",
        ),
      ),
    ),
    embedding_types: v.optional(
      v.pipe(
        v.nullish(v.array(v.unknown(), 'expected a list of types')),
        v.metadata({
          description: '`float` numbers, or their bytes in `base64`.',
          items: { enum: embeddingTypes },
        }),
      ),
    ),
    truncate: v.optional(
      v.pipe(
        v.nullish(v.picklist(['NONE', 'START', 'END'], unlike('NONE, START or END')), 'END'),
        v.description('Which end of a longer text is cut; NONE refuses it.'),
      ),
      'END',
    ),
    output_dimension: optionalCount(
      'Length of the vectors; only those that the model is made for.',
    ),
    inputs: oneValue(null, 'Not served: send `texts`.'),
    images: oneValue(null, 'Not served: send `texts`.'),
  }),
  v.title('CohereEmbedRequest'),
  v.description('Texts, and the model that encodes them. Other members are not used.'),
)

const vector = v.array(v.number())

export const cohereEmbedResponse = v.pipe(
  v.object({
    id: text('Finds the request in the log.'),
    embeddings: v.pipe(
      v.union([
        v.array(vector),
        v.object({
          float: v.exactOptional(v.array(vector)),
          base64: v.exactOptional(v.array(v.string())),
        }),
      ]),
      v.description('A vector for each text, by type; a plain list for /v1 without types.'),
    ),
    texts: v.array(v.string()),
    meta: v.object({
      api_version: v.object({ version: text('1 or 2.') }),
      billed_units: v.object({ input_tokens: count('Tokens that the model read.') }),
    }),
    response_type: v.picklist(['embeddings_floats', 'embeddings_by_type']),
  }),
  v.title('CohereEmbeddings'),
)
