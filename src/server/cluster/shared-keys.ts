/**
 * The keys of a worker. The primary reads the key file: so all processes have the same keys, and a worker that
 * starts while the file is broken has those of the others.
 */
import { createKeyRing, type KeyRing } from '../../base/keys/key-ring.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'

export interface SharedKeys {
  /** Resolves once the primary has sent the keys. */
  open(): Promise<KeyRing>
  /** Takes each message of the primary. */
  readonly receive: (message: PrimaryMessage) => void
}

export function createSharedKeys(send: (message: WorkerMessage) => void): SharedKeys {
  const ring = createKeyRing([])
  let opened: () => void = () => undefined
  const first = new Promise<void>((resolve) => (opened = resolve))
  return {
    async open() {
      send({ kind: 'keys' })
      await first
      return ring
    },
    receive(message) {
      if (message.kind !== 'keys') return
      ring.replace(message.keys)
      opened()
    },
  }
}
