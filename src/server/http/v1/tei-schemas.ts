/** The messages of the routes of text-embeddings-inference. */
import * as v from 'valibot'
import { type Problem, UnsupportedValueError } from '../../../base/errors/index.js'
import type { ReadOptions } from '../../../search/inference/caller-tokenizers.js'
import { amount, count, kindOf, text, textOrNull } from '../../schemas/parts.js'
import { oneValue, shownValue } from './only-value.js'
import { jinaRerankResponse, rerankMembers } from './rerank-schemas.js'
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

const truncationDirection = v.optional(
  v.pipe(
    v.unknown(),
    v.metadata({
      enum: ['Right', 'Left', null],
      description: 'Which end of a longer text is cut: `Right` keeps its beginning.',
    }),
  ),
)
const promptName = v.optional(
  v.pipe(
    v.unknown(),
    v.metadata({
      type: ['string', 'null'],
      description: "One of the model's prompts, put before each text; null for its default one.",
    }),
  ),
)
const onlyRight = oneValue('Right', 'Only Right: of a longer text, the beginning counts.')
/** Members of /rerank that may have one value. */
export const teiRerankValues = { truncation_direction: 'Right' } as const

/** @throws UnsupportedValueError */
export function readOptionsOf(request: {
  readonly prompt_name?: unknown
  readonly truncation_direction?: unknown
}): ReadOptions {
  const { prompt_name: prompt = null, truncation_direction: direction = null } = request
  const problems: Problem[] = []
  if (prompt !== null && typeof prompt !== 'string') {
    const message = `expected null or the name of a prompt, received ${shownValue(prompt)}`
    problems.push({ path: 'prompt_name', message })
  }
  if (direction !== null && direction !== 'Right' && direction !== 'Left') {
    const message = `expected Right or Left, received ${shownValue(direction)}`
    problems.push({ path: 'truncation_direction', message })
  }
  if (problems.length > 0) throw new UnsupportedValueError(problems)
  return {
    promptName: typeof prompt === 'string' ? prompt : undefined,
    cut: direction === 'Left' ? 'start' : 'end',
  }
}

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

const { documents, ...ofDocuments } = rerankMembers

export const teiRerankRequest = v.pipe(
  openObject({
    ...ofDocuments,
    texts: v.optional(textList('The texts, as TEI takes them.')),
    documents: v.optional(documents),
    return_text: flag(false, 'Whether each result for `texts` has its text.'),
    raw_scores: flag(false, 'Whether scores for `texts` are logits.'),
    truncate,
    truncation_direction: onlyRight,
    model,
  }),
  v.check(
    ({ texts, documents }) => (texts === undefined) !== (documents === undefined),
    'expected either texts (as TEI takes them) or documents (as Jina, Infinity and vLLM take them)',
  ),
  v.title('TeiRerankRequest'),
)

const teiRanks = v.pipe(
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

export const teiRerankResponse = v.pipe(
  v.union([teiRanks, jinaRerankResponse]),
  v.title('TeiReranked'),
  v.description('A list for `texts`, an object for `documents`.'),
)

export const tokenizeRequest = v.pipe(
  openObject({
    inputs: v.union(
      [oneText('A text.'), textList('Texts.')],
      ({ input }) => `expected a text or a list of texts, received ${kindOf(input)}`,
    ),
    add_special_tokens: flag(
      true,
      'Whether the tokens with which the model marks a text are added.',
    ),
    prompt_name: promptName,
    model,
  }),
  v.title('TeiTokenizeRequest'),
)

export const tokenizeResponse = v.pipe(
  v.array(
    v.array(
      v.object({
        id: count('The number by which the model knows it.'),
        text: text('The part of the text; of a special token its name.'),
        special: v.pipe(v.boolean(), v.description('Whether the model adds it to a text.')),
        start: v.pipe(
          v.nullable(v.number()),
          v.description('Where the part begins, in code points.'),
        ),
        stop: v.pipe(v.nullable(v.number()), v.description('Where it ends.')),
      }),
    ),
  ),
  v.title('TeiTokens'),
  v.description('The tokens of each text, uncut.'),
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
