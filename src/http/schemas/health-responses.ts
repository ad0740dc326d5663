/** GET /, /livez and /readyz. */
import * as v from 'valibot'
import type { HealthReport } from '../server-health.js'
import { count, text, textOrNull, texts } from './parts.js'

const status = v.pipe(
  v.picklist(['ok', 'degraded', 'unavailable', 'damaged', 'stopping']),
  v.description(
    '`ok`: every dataset of the catalogue can be searched; `degraded`: some; `unavailable`: none; `damaged`: a file is, and ' +
      'what needs it is out of service; `stopping`: no more.',
  ),
)

const reasons = texts(
  'What cannot be searched and why, with the command that ends it, such as `manga: not imported`.',
)

const dataset = v.pipe(
  v.object({
    entries: count('Works in the dataset.'),
    columns: texts('Its sources of synopses.'),
    models: texts('Models whose embeddings are there and match.'),
    models_loaded: texts('Those of them whose embeddings are open now.'),
  }),
  v.title('DatasetHealth'),
  v.examples([
    {
      entries: 185,
      columns: ['synopsis', 'logline'],
      models: ['builtin/static-en'],
      models_loaded: ['builtin/static-en'],
    },
  ]),
)

const cuda = (description: string) =>
  v.pipe(
    v.object({
      available: v.boolean(),
      reason: textOrNull('Why not; null when it is.'),
    }),
    v.description(description),
  )

export const healthReport: v.GenericSchema<HealthReport> = v.pipe(
  v.object({
    status,
    reasons,
    damaged: texts(
      'What is out of service because a file is damaged: `catalogue`, or a dataset and a model.',
    ),
    version: text('The version of the server.', '0.1.0'),
    cuda_available: v.pipe(
      v.boolean(),
      v.description('Whether a CUDA device is used, for searches or for models.'),
    ),
    cuda_reason: textOrNull('Why not; null when it is.'),
    cuda_searches: cuda('Whether large searches run on a CUDA device.'),
    cuda_models: cuda('Whether models run on a CUDA device.'),
    devices: texts('What models run on, as `device` of /search names it.'),
    kernel: text('The similarity kernel that this processor runs.', 'avx2'),
    models_loaded: texts(
      'Models of all kinds in memory, or on their way there; the one used longest ago first.',
    ),
    datasets: v.record(v.string(), dataset),
  }),
  v.title('Health'),
)

export const probe = v.pipe(v.object({ status }), v.title('Probe'))

export const readiness = v.pipe(v.object({ status, reasons }), v.title('Readiness'))
