/** The cross-encoders that searches use: found by name, loaded at first use, on the device that is there. */
import { openBiEncoder } from '../encoders/bi-encoder.js'
import { type CrossEncoder, openCrossEncoder } from '../encoders/cross-encoder.js'
import { type Devices, createDevices } from '../encoders/device.js'
import { ValidationError } from '../errors/validation-error.js'
import { isBiEncoder } from '../model-format/bi-encoder.js'
import { problemOfLabels } from '../model-format/cross-encoder-labels.js'
import type { CrossEncoderLocation } from '../models/cross-encoders.js'
import type { MetricsSink } from '../observability/metrics-sink.js'
import { modelBytes } from '../models/model-memory.js'
import type { ResourceCache } from './resource-cache.js'

export interface CrossEncoders {
  /**
   * Runs a task with a cross-encoder, or a bi-encoder that ranks like one. It stays loaded meanwhile. Rejects with a ValidationError
   * where a cross-encoder has not one label, or a ModelLoadError; the next use tries again.
   * @param asked `cpu`, `cuda` or `cuda:N`; the best that is there where absent
   */
  use<T>(
    location: CrossEncoderLocation,
    asked: string | undefined,
    task: (encoder: CrossEncoder, warnings: readonly string[]) => Promise<T>,
  ): Promise<T>
}

export interface CrossEncodersOptions {
  readonly cache: ResourceCache
  /** Threads of each model. */
  readonly threads: number
  readonly devices?: Devices
  readonly meter?: Pick<MetricsSink, 'batch'>
}

export function createCrossEncoders({
  cache,
  threads,
  devices = createDevices(),
  meter,
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
    try {
      return await open({ model: name, folder, threads, device, meter })
    } catch (error) {
      if (device === 'cpu') throw error
      // A model that loads on the CPU is sound, so the device is to blame.
      const encoder = await open({ model: name, folder, threads, device: 'cpu', meter })
      devices.failed(device)
      return encoder
    }
  }

  return {
    use(location, asked, task) {
      const { device, warning } = devices.choose(asked)
      const { name, folder } = location
      const source = {
        bytes: () => modelBytes(folder, 'cross-encoder'),
        open: () => load(location, device),
      }
      return kind.use(device === 'cpu' ? name : `${name} on ${device}`, source, (encoder) => {
        const hasFailed = encoder.device !== device && asked !== undefined
        const late = hasFailed ? devices.choose(asked).warning : undefined
        return task(
          encoder,
          [warning, late].filter((text) => text !== undefined),
        )
      })
    },
  }
}
