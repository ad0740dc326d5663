/** `synoptic gpu plan`. */
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import {
  type CollectionNeeds,
  fits,
  type ModelNeeds,
  planCollections,
  planModels,
  workspaceBytes,
} from '../search/composition/gpu-needs.js'
import { takeInventory } from '../search/composition/inventory.js'
import type { gpuSettings, Settings, SettingsOf } from '../base/config/settings.js'
import { configureGpu, gpuStats, nativeInfo } from '../native/addon/index.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'
import { print } from './print.js'

type GpuSettings = SettingsOf<typeof gpuSettings>

export const gpuPlan: Command & {
  run(argv: readonly string[], settings: GpuSettings): Promise<number>
} = {
  name: 'gpu plan',
  summary: 'Shows how much GPU memory each dataset and model needs, and what fits.',
  help: `Usage: synoptic gpu plan [--gpu-memory-limit <n>] [--workers <n>]

Lists three sizes for each collection: the memory for searches of up to eight queries, for larger
batches, and for batches with exact rescoring on the GPU. A collection that does not fit is streamed
to the GPU or searched on the CPU. * marks an estimate, for a model without embeddings.
The processes of a server share the limit, and each needs workspaces in addition to its collections.
The memory of models that run on the GPU is outside the limit.

  --gpu-memory-limit <n>  As in \`synoptic serve\`. A limit in bytes needs no GPU.
  --workers <n>           Processes that share the limit, as in \`synoptic serve\`.

Example:
  synoptic gpu plan --gpu-memory-limit 8589934592 --workers 2`,
  run: plan,
}

async function plan(argv: readonly string[], settings: Settings & GpuSettings): Promise<number> {
  parseOptions('gpu plan', argv, {})
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    const inventory = await takeInventory(catalogue, settings)
    const collections = await planCollections(catalogue, inventory, settings)
    const limit = processLimit(settings)
    const lines = [
      ...table(collections, limit),
      ...totalLines(collections, limit),
      ...modelLines(await planModels(settings, inventory), settings.workers),
      limitLine(limit, settings.workers),
    ]
    print(`${lines.join('\n')}\n`)
    return 0
  } finally {
    catalogue.close()
  }
}

/** Of one process; undefined if the limit depends on a GPU and there is none. */
function processLimit({ gpuMemoryLimit, workers }: GpuSettings): number | undefined {
  if (gpuMemoryLimit.kind === 'bytes') return gpuMemoryLimit.value / workers
  configureGpu(gpuMemoryLimit, workers)
  return gpuStats()?.limitBytes
}

const verdict = (bytes: number, limit: number | undefined): string =>
  limit === undefined ? '' : fits(bytes, limit) ? ' fits' : ' too large'

function table(needs: readonly CollectionNeeds[], limit: number | undefined): string[] {
  const cell = (bytes: number) => `${megabytes(bytes)} MB${verdict(bytes, limit)}`
  const rows = needs.map((need) => [
    `${need.dataset} ${need.model}${need.isBuilt ? '' : ' *'}`,
    `${need.columns} x ${need.rows} x ${need.dimension}`,
    cell(need.fewBytes),
    cell(need.batchBytes),
    cell(need.batchBytes + need.scoreBytes),
  ])
  const heading = ['collection', 'columns', 'few queries', 'batches', 'with rescoring']
  const widths = heading.map((word, i) =>
    Math.max(word.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  return [heading, ...rows].map((row) =>
    row
      .map((word, i) => word.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function totalLines(needs: readonly CollectionNeeds[], limit: number | undefined): string[] {
  const bytes = sumOf(needs.map(({ allBytes }) => allBytes))
  return [
    `Each process needs ${megabytes(workspaceBytes)} MB of workspaces in addition.`,
    `All collections together need ${megabytes(bytes + workspaceBytes)} MB${verdict(bytes, limit)}.`,
  ]
}

function modelLines(needs: readonly ModelNeeds[], workers: number): string[] {
  const weights = sumOf(needs.map(({ weightBytes }) => weightBytes))
  const activations = sumOf(needs.map(({ activationBytes }) => activationBytes))
  const each = `${megabytes(weights)} MB of weights and up to ${megabytes(activations)} MB of activations`
  return [
    `The installed models (${needs.length}) need ${each} outside the limit, ${times(workers)}.`,
  ]
}

const times = (workers: number) =>
  workers === 1 ? 'where they run on the GPU' : `in each of ${workers} processes`

function limitLine(limit: number | undefined, workers: number): string {
  const processes = workers === 1 ? '' : ` for each of ${workers} processes`
  if (limit !== undefined) return `The limit is ${megabytes(limit)} MB${processes}.`
  const { reason } = nativeInfo().cuda
  return `No GPU found (${reason}). Use --gpu-memory-limit <bytes> to plan without one.`
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
