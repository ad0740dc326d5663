/** Opens the encoder of an installed model: chooses the device, starts its workers. */
import { availableParallelism } from 'node:os'
import type { ResolvedModel } from '../registry/registry.js'
import type { MetricsSink } from '../../base/observability/metrics-sink.js'
import { createDeviceFallback } from './device-fallback.js'
import { type Devices, createDevices } from './device.js'
import type { WorkerStart } from './protocol.js'
import { withPrompts } from './with-prompts.js'
import { openServed, planServed } from './served-encoder.js'
import { countWorkers, openSideBySide } from './side-by-side.js'
import { type WorkerEncoder, openWorkerEncoder } from './worker-encoder.js'

export interface EncoderOptions {
  /** Threads of each model; as many as there are CPUs when omitted. */
  readonly threads?: number
  readonly metrics?: Pick<MetricsSink, 'batch'>
  /** The devices that are present; found out when omitted. */
  readonly devices?: Devices
  /** `cpu`, `cuda` or `cuda:N`; the best that is present when omitted. */
  readonly device?: string | undefined
  /** For many texts at a time: several workers a model, where that is faster. */
  readonly isBulk?: boolean
  /** Of a server: bytes of all its models. One that takes little of them has several workers. */
  readonly memoryLimit?: number
  /** Called when a model runs on another device than requested. */
  readonly warn?: ((message: string) => void) | undefined
}

/** The caller closes it. Rejects with ModelLoadError. */
export async function openEncoder(
  { name: model, folder, batches, prompts }: ResolvedModel,
  options: EncoderOptions,
): Promise<WorkerEncoder> {
  const { threads = availableParallelism(), devices = createDevices() } = options
  const { device, warning } = devices.choose(options.device)
  if (warning !== undefined) options.warn?.(`model ${model}: ${warning}`)
  const start = { model, folder, threads, batches }
  const openOnCpu = () => openWorkers({ ...start, device: 'cpu' }, options)
  const leave = (error: unknown) => {
    devices.failed(device)
    const reason = error instanceof Error ? error.message : String(error)
    options.warn?.(`${reason}; it runs on the CPU, and ${device} is not tried again`)
  }
  try {
    const encoder = await openWorkers({ ...start, device }, options)
    return withPrompts(
      device === 'cpu' ? encoder : withFallback(encoder, openOnCpu, leave),
      prompts,
    )
  } catch (error) {
    if (device === 'cpu') throw error
    // A model that loads on the CPU is sound, so the device is to blame.
    const encoder = await openOnCpu()
    leave(error)
    return withPrompts(encoder, prompts)
  }
}

/** Bytes that `openEncoder` takes, as far as the model's files say. */
export async function encoderBytes(
  { name: model, folder }: ResolvedModel,
  options: EncoderOptions,
): Promise<number> {
  const { threads = availableParallelism(), devices = createDevices() } = options
  const { device } = devices.choose(options.device)
  return (await planServed({ model, folder, threads, device }, options.memoryLimit ?? 0)).bytes
}

function withFallback(
  encoder: WorkerEncoder,
  openOnCpu: () => Promise<WorkerEncoder>,
  leave: (error: unknown) => void,
): WorkerEncoder {
  const fallback = createDeviceFallback(encoder, openOnCpu, leave)
  const { model, dimension, maxTokens, vocabulary, cosineInBatch, revision } = encoder
  return {
    model,
    dimension,
    maxTokens,
    vocabulary,
    cosineInBatch,
    revision,
    get device() {
      return fallback.current().device
    },
    encode: (texts, options) => fallback.run((on) => on.encode(texts, options)),
    tokenize: (texts, options) => fallback.run((on) => on.tokenize(texts, options)),
    idle: () => fallback.current().idle(),
    close: () => fallback.close(),
  }
}

async function openWorkers(
  start: WorkerStart,
  { isBulk = false, memoryLimit = 0, metrics }: EncoderOptions,
): Promise<WorkerEncoder> {
  const { sideBySide } = await planServed(start, memoryLimit)
  if (sideBySide > 0) return openServed(start, sideBySide, metrics)
  const workers = isBulk ? await countWorkers(start) : 1
  return workers === 1 ? openWorkerEncoder(start, metrics) : openSideBySide(start, workers, metrics)
}
