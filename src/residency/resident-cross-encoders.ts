/** The cross-encoders that searches use: found by name, loaded at first use, on the device that is there. */
import { type CrossEncoder, openCrossEncoder } from '../encoders/cross-encoder.js'
import { type Devices, createDevices } from '../encoders/device.js'
import { ValidationError } from '../errors/validation-error.js'
import { problemOfLabels } from '../model-format/cross-encoder-labels.js'
import type { CrossEncoderLocation } from '../models/cross-encoders.js'
import type { MetricsSink } from '../observability/metrics-sink.js'
import { modelBytes } from '../models/model-memory.js'
import type { ResourceCache } from './resource-cache.js'

export interface CrossEncoders {
  /**
   * Runs a task with a cross-encoder, which stays loaded meanwhile. Rejects with a ValidationError
   * where the model has not one label, or a ModelLoadError; the next use tries again.
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
  readonly metrics?: Pick<MetricsSink, 'batch'>
}

export function createCrossEncoders({
  cache,
  threads,
  devices = createDevices(),
  metrics,
}: CrossEncodersOptions): CrossEncoders {
  const kind = cache.kind<CrossEncoder>('model', (encoder) => encoder.close())

  async function load(
    { name, folder }: CrossEncoderLocation,
    device: string,
  ): Promise<CrossEncoder> {
    const message = await problemOfLabels(name, folder)
    if (message !== undefined) throw new ValidationError([{ path: 'model_name', message }])
    try {
      return await openCrossEncoder({ model: name, folder, threads, device, metrics })
    } catch (error) {
      if (device === 'cpu') throw error
      // A model that loads on the CPU is sound, so the device is to blame.
      const encoder = await openCrossEncoder({
        model: name,
        folder,
        threads,
        device: 'cpu',
        metrics,
      })
      devices.failed(device)
      return encoder
    }
  }

  return {
    use(location, requested, task) {
      const { device, warning } = devices.choose(requested)
      const { name, folder } = location
      const source = {
        bytes: () => modelBytes(folder, 'cross-encoder'),
        open: () => load(location, device),
      }
      return kind.use(device === 'cpu' ? name : `${name} on ${device}`, source, (encoder) => {
        const hasFailed = encoder.device !== device && requested !== undefined
        const late = hasFailed ? devices.choose(requested).warning : undefined
        return task(
          encoder,
          [warning, late].filter((text) => text !== undefined),
        )
      })
    },
  }
}
