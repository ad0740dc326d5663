/** The cross-encoders that searches use: found by name, loaded at first use, on the device that is there. */
import { openBiEncoder } from '../encoders/bi-encoder.js'
import { type CrossEncoder, openCrossEncoder } from '../encoders/cross-encoder.js'
import { createDeviceFallback } from '../encoders/device-fallback.js'
import { type Devices, createDevices } from '../encoders/device.js'
import { ValidationError } from '../../base/errors/index.js'
import { isBiEncoder } from '../format/bi-encoder.js'
import { problemOfLabels } from '../format/cross-encoder-labels.js'
import type { CrossEncoderLocation } from '../registry/cross-encoders.js'
import type { MetricsSink } from '../../base/observability/metrics-sink.js'
import { modelBytes } from '../registry/model-memory.js'
import type { ResourceCache } from './resource-cache.js'

export interface CrossEncoders {
  /**
   * Runs a task with a cross-encoder, or a bi-encoder that ranks like one. It stays loaded meanwhile. Rejects with a ValidationError
   * where a cross-encoder has not one label, or a ModelLoadError; the next use tries again.
   * @param requested `cpu`, `cuda` or `cuda:N`; the best that is there where absent
   */
  use<T>(
    location: CrossEncoderLocation,
    requested: string | undefined,
    task: (encoder: CrossEncoder, warnings: readonly string[]) => Promise<T>,
  ): Promise<T>
}

export interface CrossEncodersOptions {
  readonly cache: ResourceCache
  /** Threads of each model. */
  readonly threads: number
  readonly devices?: Devices
  /** `cpu`, `cuda` or `cuda:N` for searches that ask for none; the best that is there where absent. */
  readonly device?: string | undefined
  /** Called when a model has to leave its device. */
  readonly warn?: ((message: string) => void) | undefined
  readonly metrics?: Pick<MetricsSink, 'batch'>
}

export function createCrossEncoders({
  cache,
  threads,
  devices = createDevices(),
  device: usual,
  warn,
  metrics,
}: CrossEncodersOptions): CrossEncoders {
  const kind = cache.kind<CrossEncoder>('model', (encoder) => encoder.close())

  async function load(
    { name, folder }: CrossEncoderLocation,
    device: string,
  ): Promise<CrossEncoder> {
    const isBi = await isBiEncoder(folder)
    const open = isBi ? openBiEncoder : openCrossEncoder
    const message = isBi ? undefined : await problemOfLabels(name, folder)
    if (message !== undefined) throw new ValidationError([{ path: 'model_name', message }])
    const openOnCpu = () => open({ model: name, folder, threads, device: 'cpu', metrics })
    const leave = (error: unknown) => {
      devices.failed(device)
      const reason = error instanceof Error ? error.message : String(error)
      warn?.(`${reason}; it runs on the CPU, and ${device} is not tried again`)
    }
    try {
      const encoder = await open({ model: name, folder, threads, device, metrics })
      return device === 'cpu' ? encoder : withFallback(encoder, openOnCpu, leave)
    } catch (error) {
      if (device === 'cpu') throw error
      // A model that loads on the CPU is sound, so the device is to blame.
      const encoder = await openOnCpu()
      leave(error)
      return encoder
    }
  }

  return {
    use(location, requested, task) {
      const { device, warning } = devices.choose(requested ?? usual)
      const { name, folder } = location
      const source = {
        bytes: () => modelBytes(folder, 'cross-encoder'),
        open: () => load(location, device),
      }
      return kind.use(device === 'cpu' ? name : `${name} on ${device}`, source, (encoder) => {
        const hasFailed = encoder.device !== device && requested !== undefined
        const late = hasFailed ? devices.choose(requested).warning : undefined
        const warnings = requested === undefined ? [] : [warning, late]
        return task(
          encoder,
          warnings.filter((text) => text !== undefined),
        )
      })
    },
  }
}

function withFallback(
  encoder: CrossEncoder,
  openOnCpu: () => Promise<CrossEncoder>,
  leave: (error: unknown) => void,
): CrossEncoder {
  const fallback = createDeviceFallback(encoder, openOnCpu, leave)
  const { model, maxTokens } = encoder
  return {
    model,
    maxTokens,
    get device() {
      return fallback.current().device
    },
    score: (query, texts, options) => fallback.run((on) => on.score(query, texts, options)),
    close: () => fallback.close(),
  }
}
