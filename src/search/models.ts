/** The encoders that searches use: loaded at first use, released when idle. */
import type { Encoder } from '../encoders/encoder.js'
import type { Encoders } from '../encoders/encoders.js'
import { createIdlePool } from '../lifecycle/idle-pool.js'

export interface Models {
  /** Runs a task with a model's encoder, which stays loaded meanwhile. */
  use<T>(model: string, task: (encoder: Encoder) => Promise<T>): Promise<T>
  /** Releases what nobody has used within that time; answers the names. */
  closeIdle(idleMs: number): readonly string[]
}

export function createModels(encoders: Encoders, now?: () => number): Models {
  // A release that fails leaves a worker that dies with the process; nobody waits for it.
  const release = (_: Encoder, model: string) => void encoders.release(model).catch(() => undefined)
  const pool = createIdlePool<Encoder>(release, now)
  return {
    use: (model, task) => pool.use(model, () => encoders.get(model), task),
    closeIdle: (idleMs) => pool.closeIdle(idleMs),
  }
}
