/** The encoders of a process: each model is loaded once, when it is first asked for. */
import { availableParallelism } from 'node:os'
import { EncoderError } from '../errors/encoder-error.js'
import { ModelNotInstalledError } from '../errors/model-not-installed-error.js'
import type { MetricsSink } from '../observability/metrics-sink.js'
import { resolveModel } from '../models/registry.js'
import { type Devices, createDevices } from '../encoders/device.js'
import type { Encoder } from '../encoders/encoder.js'
import type { WorkerStart } from '../encoders/protocol.js'
import { countWorkers, openSideBySide } from '../encoders/side-by-side.js'
import { type WorkerEncoder, openWorkerEncoder } from '../encoders/worker-encoder.js'

export interface EncodersOptions {
  /** Folder of downloaded and own models. */
  readonly modelsDir: string
  /** Threads of each model; as many as there are CPUs when omitted. */
  readonly threads?: number
  readonly meter?: Pick<MetricsSink, 'batch'>
  /** Those that are there; found out when omitted. */
  readonly devices?: Devices
  /** `cpu`, `cuda` or `cuda:N`; the best that is there when omitted. */
  readonly device?: string | undefined
  /** For many texts at a time: several workers a model, where that is faster. */
  readonly isBulk?: boolean
  /** Told when a model runs elsewhere than was asked for. */
  readonly warn?: ((message: string) => void) | undefined
}

export interface Encoders {
  /**
   * The encoder of an allowed model, loaded where needed. Ask for it before each use: it may have
   * been released. Rejects with UnknownModelError, ModelNotInstalledError or ModelLoadError; the
   * next call tries again.
   */
  get(model: string): Promise<Encoder>
  /** Names of the models in memory, in order of loading. */
  loaded(): string[]
  /** Frees a model once its work in flight is done; a model that is not loaded is no fault. */
  release(model: string): Promise<void>
  /** Frees all; work in flight is rejected. Idempotent. */
  close(): Promise<void>
}

export function createEncoders(options: EncodersOptions): Encoders {
  const { modelsDir, threads = availableParallelism(), isBulk = false, meter, warn } = options
  const { devices = createDevices() } = options
  const loading = new Map<string, Promise<WorkerEncoder>>()
  const loaded = new Map<string, WorkerEncoder>()
  let closed = false

  return { get, loaded: () => [...loaded.keys()], release, close }

  async function get(model: string): Promise<Encoder> {
    if (closed) throw new EncoderError(model, 'closed', 'is closed')
    const known = loading.get(model)
    if (known !== undefined) return known
    const encoder = load(model)
    loading.set(model, encoder)
    encoder.catch(() => {
      if (loading.get(model) === encoder) loading.delete(model)
    })
    return encoder
  }

  async function load(model: string): Promise<WorkerEncoder> {
    const { folder, installed, repository } = resolveModel(model, { modelsDir })
    if (!installed) throw new ModelNotInstalledError(model, repository)
    const { device, warning } = devices.choose(options.device)
    if (warning !== undefined) warn?.(`model ${model}: ${warning}`)
    const encoder = await openOn(device, { model, folder, threads })
    loaded.set(model, encoder)
    return encoder
  }

  /** On the CPU where the device fails; a model that loads there is sound, so the device is to blame. */
  async function openOn(device: string, start: WorkerStart): Promise<WorkerEncoder> {
    try {
      return await open({ ...start, device })
    } catch (error) {
      if (device === 'cpu') throw error
      const encoder = await open({ ...start, device: 'cpu' })
      devices.failed(device)
      const reason = error instanceof Error ? error.message : String(error)
      warn?.(`${reason}; it runs on the CPU, and ${device} is not tried again`)
      return encoder
    }
  }

  async function open(start: WorkerStart): Promise<WorkerEncoder> {
    const workers = isBulk ? await countWorkers(start) : 1
    return workers === 1 ? openWorkerEncoder(start, meter) : openSideBySide(start, workers, meter)
  }

  async function release(model: string): Promise<void> {
    const encoder = await forget(model)
    await encoder?.idle()
    await encoder?.close()
  }

  async function close(): Promise<void> {
    closed = true
    const models = [...loading.keys()]
    await Promise.all(models.map(async (model) => (await forget(model))?.close()))
  }

  /** From here on `get` loads the model anew. */
  async function forget(model: string): Promise<WorkerEncoder | undefined> {
    const forgotten = loading.get(model)
    loading.delete(model)
    const encoder = await forgotten?.catch(() => undefined)
    if (loaded.get(model) === encoder) loaded.delete(model)
    return encoder
  }
}
