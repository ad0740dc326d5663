/** GET /, /livez and /readyz. */
import * as v from 'valibot'
import type { HealthReport } from '../server-health.js'
import { count, text, textOrNull, texts } from './parts.js'

const status = v.pipe(
  v.picklist(['ok', 'degraded', 'unavailable', 'stopping']),
  v.description(
    '`ok`: every dataset can be searched; `degraded`: some; `unavailable`: none; `stopping`: no more.',
  ),
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

export const healthReport: v.GenericSchema<HealthReport> = v.pipe(
  v.object({
    status,
    version: text('The version of the server.', '0.1.0'),
    cuda_available: v.pipe(v.boolean(), v.description('Whether a CUDA device can be used.')),
    cuda_reason: textOrNull('Why not; null when it can.'),
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
