/** What createApp needs to ask for keys: built once for a process and used by every app of it. */
import type { KeyRing } from '../../../base/keys/key-ring.js'
import type { RateStores } from '../limits/rate-window.js'
import { createKeyLimit } from './key-limit.js'
import type { Access } from './with-access.js'

export function createAccess(keys: KeyRing, stores: RateStores): Access {
  const store = stores.get('keys')
  if (store === undefined) throw new Error('expected a store that counts for keys')
  return { keys, limit: createKeyLimit(store) }
}
