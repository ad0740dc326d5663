/** GET /, /livez and /readyz. */
import * as v from 'valibot'
import type { HealthReport } from './server-health.js'
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

const source = v.pipe(
  v.object({
    name: text('Of the data set.', 'anime-offline-database'),
    url: text('Where it comes from.'),
    licence: text('On which terms.', 'ODbL 1.0'),
    licence_url: text('The text of the licence.'),
    attribution: text('What has to be said with what is made of it.'),
  }),
  v.title('Source'),
)

const lastReload = v.pipe(
  v.nullable(
    v.object({
      at: text('When it ended.', '2026-05-01T12:00:00.000Z'),
      result: v.pipe(
        v.picklist(['done', 'failed']),
        v.description('`failed`: what was served before still is, and the log says why.'),
      ),
    }),
  ),
  v.description('The last reload of this process; null since its start.'),
)

const dataset = v.pipe(
  v.object({
    version: text('Of its works and texts; embeddings and maps belong to one version.'),
    entries: count('Works in the dataset.'),
    sources: v.pipe(
      v.array(source),
      v.description('Whose data it is made of; none where the import did not tell.'),
    ),
    columns: texts('Its sources of synopses.'),
    models: texts('Models whose embeddings are there and match.'),
    models_loaded: texts('Those of them whose embeddings are open now.'),
  }),
  v.title('DatasetHealth'),
  v.examples([
    {
      version: '8db55fe0cd73c875',
      entries: 185,
      sources: [],
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
    last_reload: lastReload,
    datasets: v.record(v.string(), dataset),
  }),
  v.title('Health'),
)

export const probe = v.pipe(v.object({ status }), v.title('Probe'))

export const readiness = v.pipe(v.object({ status, reasons }), v.title('Readiness'))
