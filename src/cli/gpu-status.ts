/** `synoptic gpu status` and `synoptic gpu plan`. */
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import type { gpuSettings, Settings, SettingsOf } from '../config/settings.js'
import { type CollectionNeeds, planGpu } from './gpu-plan.js'
import { takeInventory } from '../composition/inventory.js'
import { configureGpu, gpuStats, nativeInfo } from '../native/index.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'
import { print } from './print.js'

type GpuSettings = SettingsOf<typeof gpuSettings>

export const gpuStatus: Command = {
  name: 'gpu status',
  summary: 'Shows whether searches can use a GPU, and if not, why.',
  help: `Usage: synoptic gpu status

The exit status is 1 if no GPU can be used.

Example:
  synoptic gpu status`,
  run: (argv) => Promise.resolve().then(() => status(argv)),
}

export const gpuPlan: Command & {
  run(argv: readonly string[], settings: GpuSettings): Promise<number>
} = {
  name: 'gpu plan',
  summary: 'Shows how much GPU memory each dataset and model needs, and what fits.',
  help: `Usage: synoptic gpu plan [--gpu-memory-limit <n>]

Lists three sizes for each collection: the memory for searches of up to eight queries, for larger
batches, and for batches with exact rescoring on the GPU. A collection that does not fit is streamed
to the GPU or searched on the CPU.

  --gpu-memory-limit <n>  As in \`synoptic serve\`. A limit in bytes needs no GPU.

Example:
  synoptic gpu plan --gpu-memory-limit 8589934592`,
  run: plan,
}

function status(argv: readonly string[]): number {
  parseOptions('gpu status', argv, {})
  const { available, reason, library, driverVersion, builtWith, devices } = nativeInfo().cuda
  const lines = [
    available ? 'CUDA is available.' : `CUDA is not available: ${reason}`,
    `library: ${library}`,
    ...(builtWith > 0 ? [`built with CUDA ${versionText(builtWith)}`] : []),
    ...(driverVersion > 0 ? [`driver for CUDA ${versionText(driverVersion)}`] : []),
    ...devices.map(
      ({ name, computeCapability, multiprocessors, totalBytes }, index) =>
        `cuda:${index}  ${name}, compute capability ${computeCapability}, ` +
        `${multiprocessors} multiprocessors, ${megabytes(totalBytes)} MB`,
    ),
  ]
  print(`${lines.join('\n')}\n`)
  return available ? 0 : 1
}

async function plan(argv: readonly string[], settings: Settings & GpuSettings): Promise<number> {
  parseOptions('gpu plan', argv, {})
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    const inventory = await takeInventory(catalogue, settings)
    const needs = await planGpu(catalogue, inventory, settings)
    const limit = limitBytes(settings)
    print(`${[...table(needs, limit), limitLine(limit)].join('\n')}\n`)
    return 0
  } finally {
    catalogue.close()
  }
}

/** Undefined if the limit depends on a GPU and there is none. */
function limitBytes({ gpuMemoryLimit }: GpuSettings): number | undefined {
  if (gpuMemoryLimit.kind === 'bytes') return gpuMemoryLimit.value
  configureGpu(gpuMemoryLimit, 1)
  return gpuStats()?.limitBytes
}

function limitLine(limit: number | undefined): string {
  if (limit !== undefined) return `The limit is ${megabytes(limit)} MB.`
  const { reason } = nativeInfo().cuda
  return `No GPU found (${reason}). Use --gpu-memory-limit <bytes> to plan without one.`
}

function table(needs: readonly CollectionNeeds[], limit: number | undefined): string[] {
  const fits = (bytes: number): string =>
    limit === undefined ? '' : bytes <= limit ? ' fits' : ' too large'
  const cell = (bytes: number) => `${megabytes(bytes)} MB${fits(bytes)}`
  const rows = needs.map((need) => [
    `${need.dataset} ${need.model}`,
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

const versionText = (version: number) =>
  `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
