/** The keys that a serving process knows. A reload replaces them while it serves. */
import { timingSafeEqual } from 'node:crypto'
import { hashOf } from './api-key.js'
import type { KeyRecord } from './key-record.js'

export interface KeyRing {
  /** The key's record, whether or not the key has expired; undefined for a key that nobody has. */
  find(presented: string): KeyRecord | undefined
  replace(keys: readonly KeyRecord[]): void
}

export function createKeyRing(keys: readonly KeyRecord[]): KeyRing {
  let known = withHashes(keys)
  return {
    find(presented) {
      const hash = hashOf(presented)
      let found: KeyRecord | undefined
      // Compares with all of them, each in constant time: how long it takes says nothing of a hash.
      for (const candidate of known)
        if (timingSafeEqual(candidate.hash, hash)) found = candidate.key
      return found
    },
    replace(next) {
      known = withHashes(next)
    },
  }
}

const withHashes = (keys: readonly KeyRecord[]) =>
  keys.map((key) => ({ key, hash: Buffer.from(key.hash, 'hex') }))

export const isExpired = ({ expires }: Pick<KeyRecord, 'expires'>, nowMs = Date.now()): boolean =>
  expires !== undefined && Date.parse(expires) <= nowMs
