/**
 * A model on a device that may fail while it works, such as one without memory left. What failed is done again on
 * the CPU; where that works, the device was to blame, and the model stays on the CPU.
 */
import { EncoderError } from '../../base/errors/index.js'

export interface OnDevice {
  readonly device: string
  close(): Promise<void>
}

export interface DeviceFallback<T extends OnDevice> {
  /** Where the next task runs. */
  current(): T
  run<R>(task: (model: T) => Promise<R>): Promise<R>
  close(): Promise<void>
}

/**
 * @param openOnCpu called again only where it has failed
 * @param onFailed called when the model has left the device
 */
export function createDeviceFallback<T extends OnDevice>(
  first: T,
  openOnCpu: () => Promise<T>,
  onFailed: (error: EncoderError) => void,
): DeviceFallback<T> {
  let current = first
  let opening: Promise<T> | undefined
  let isClosed = false

  function cpuModel(): Promise<T> {
    if (opening !== undefined) return opening
    const started = openOnCpu()
    opening = started
    started.catch(() => {
      if (opening === started) opening = undefined
    })
    return started
  }

  return {
    current: () => current,
    async run(task) {
      const used = current
      try {
        return await task(used)
      } catch (error) {
        if (used.device === 'cpu' || !(error instanceof EncoderError) || isClosed) throw error
        const onCpu = await cpuModel()
        const result = await task(onCpu)
        if (current === first) {
          current = onCpu
          onFailed(error)
          void first.close()
        }
        return result
      }
    },
    async close() {
      isClosed = true
      await first.close()
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}
