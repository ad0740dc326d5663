/** The messages of the routes of text-embeddings-inference. */
import * as v from 'valibot'
import { amount, count, text, textOrNull } from '../schemas/parts.js'
import { oneValue } from './only-value.js'
import {
  flag,
  oneText,
  openObject,
  optionalCount,
  optionalText,
  textInputs,
  textList,
} from './parts.js'

const model = optionalText('As GET /v1/models lists it; an addition to what TEI takes.')
const truncate = flag(
  true,
  'Whether texts that are longer than the model reads are cut; false refuses them.',
)

const truncationDirection = oneValue('Right', 'Only Right: of a longer text, the beginning counts.')
const promptName = oneValue(null, 'Only null: the model reads texts with its own prompt.')
/** Members that may have one value. */
export const teiValues = { truncation_direction: 'Right', prompt_name: null } as const

export const embedRequest = v.pipe(
  openObject({
    inputs: textInputs('A text, texts, or ids of the tokenizer of the model.'),
    normalize: flag(true, 'Whether vectors have length 1.'),
    truncate,
    truncation_direction: truncationDirection,
    prompt_name: promptName,
    dimensions: optionalCount('Length of the vectors; only those that the model is made for.'),
    model,
  }),
  v.title('TeiEmbedRequest'),
)

export const embedResponse = v.pipe(
  v.array(v.array(v.number())),
  v.title('TeiVectors'),
  v.description('A vector for each text.'),
)

export const teiRerankRequest = v.pipe(
  openObject({
    query: oneText('What the texts are compared with.'),
    texts: textList('The texts.'),
    return_text: flag(false, 'Whether each result has its text.'),
    raw_scores: flag(false, 'Whether scores are logits.'),
    truncate,
    truncation_direction: truncationDirection,
    model,
  }),
  v.title('TeiRerankRequest'),
)

export const teiRerankResponse = v.pipe(
  v.array(
    v.object({
      index: count('Position of the text in the request.'),
      score: amount('How well the text fits the query: 0 to 1, or a logit.'),
      text: v.exactOptional(text('The text.')),
    }),
  ),
  v.title('TeiRanks'),
  v.description('The best first; of equal ones the first in the request.'),
)

export const similarityRequest = v.pipe(
  openObject({
    inputs: openObject({
      source_sentence: oneText('What the sentences are compared with.'),
      sentences: textList('The sentences.'),
    }),
    parameters: v.optional(
      v.nullish(
        openObject({
          truncate,
          truncation_direction: truncationDirection,
          prompt_name: promptName,
        }),
      ),
    ),
    model,
  }),
  v.title('TeiSimilarityRequest'),
)

export const similarityResponse = v.pipe(
  v.array(v.number()),
  v.title('TeiSimilarities'),
  v.description('The cosine of each sentence, -1 to 1.'),
)

export const infoResponse = v.pipe(
  v.object({
    model_id: text('The model of /embed and /similarity.', 'builtin/static-en'),
    model_sha: textOrNull('The revision of its files.'),
    model_dtype: text('Type of its numbers.', 'float32'),
    model_type: v.object({ embedding: v.object({ pooling: text('How tokens become a vector.') }) }),
    max_concurrent_requests: count('`--limit-concurrency`.'),
    max_input_length: count('Tokens of a text that the model reads.'),
    max_batch_tokens: count('Tokens of one request: `--v1-max-inputs` texts of that length.'),
    max_client_batch_size: count('`--v1-max-inputs`.'),
    auto_truncate: v.pipe(v.boolean(), v.description('Longer texts are cut.')),
    version: text('Of Synoptic.'),
  }),
  v.title('TeiInfo'),
)
