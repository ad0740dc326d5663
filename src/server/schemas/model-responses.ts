/** GET /models and /models/{name}. */
import * as v from 'valibot'
import type { ModelDetails, ModelNames } from '../../models/registry/model-list.js'
import { countOrNull, text, texts } from './parts.js'

export const modelNames: v.GenericSchema<ModelNames> = v.pipe(
  v.object({
    models: v.pipe(
      v.record(v.string(), v.record(v.string(), v.string())),
      v.description('Short descriptions by the name of the model, by category.'),
    ),
    fine_tuned: v.pipe(
      v.record(v.string(), v.string()),
      v.description('Paths, to be used as `model_name`, by label.'),
    ),
    endpoints: v.pipe(
      v.record(v.string(), v.array(v.string())),
      v.description('Routes that take the models of a category; those of `fine_tuned` too.'),
    ),
  }),
  v.title('Models'),
  v.examples([
    {
      models: {
        'Similarity models': { 'encoders/all-MiniLM-L6-v2': 'General use, small and quick.' },
      },
      fine_tuned: { 'anime-finetuned': 'models/fine-tuned/anime-finetuned' },
      endpoints: {
        'Similarity models': ['/searchmodel', '/similar', '/v1/embeddings'],
        fine_tuned: ['/search', '/v1/rerank'],
      },
    },
  ]),
)

/** A name holds slashes; they may stand as they are or as %2F. */
export const modelPath = {
  name: v.pipe(
    v.string(),
    v.description('A name or path that GET /models lists.'),
    v.examples(['builtin/static-en']),
  ),
}

export const modelDetails: v.GenericSchema<ModelDetails> = v.pipe(
  v.object({
    name: text('What requests name it by.'),
    category: text('The category under which GET /models lists it, or `fine_tuned`.'),
    description: text('What it is good for.'),
    endpoints: texts('Routes that take it.'),
    installed: v.pipe(v.boolean(), v.description('Whether its files are here.')),
    dimension: countOrNull(
      'Length of its vectors; null where that is not known, and of cross-encoders.',
    ),
    maximum_tokens: countOrNull('Longest input; what is longer is cut.'),
    size_bytes: countOrNull('What its files take on disk; null where they are not here.'),
    memory_bytes: countOrNull(
      'What it counts with against --model-memory-limit while it is loaded: by its files, or by its ' +
        'parameters in float32 where they are not here. Null where neither is known.',
    ),
  }),
  v.title('Model'),
  v.examples([
    {
      name: 'encoders/all-MiniLM-L6-v2',
      category: 'Similarity models',
      description: 'General use, small and quick.',
      endpoints: ['/searchmodel', '/similar', '/v1/embeddings'],
      installed: true,
      dimension: 384,
      maximum_tokens: 256,
      size_bytes: 91_642_210,
      memory_bytes: 123_959_646,
    },
  ]),
)
