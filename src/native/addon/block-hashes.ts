/** Hashes of a file's blocks, made while it is written: the native core checks them ever after. */
import { loadAddon } from './addon.js'

/** Part of the format; native/core/io/block_hashes.h reads them. */
const blockBytes = 2 ** 20

export interface BlockHasher {
  add(bytes: Uint8Array): void
  /** 8 bytes a block, the last block being what is left. */
  digest(): Buffer
}

export function createBlockHasher(): BlockHasher {
  const addon = loadAddon()
  const block = Buffer.alloc(blockBytes)
  const hashes: Uint8Array[] = []
  let filled = 0
  const end = () => {
    if (filled > 0) hashes.push(addon.hashBlock(block.subarray(0, filled)))
    filled = 0
  }
  return {
    add(bytes) {
      for (let taken = 0; taken < bytes.length;) {
        const part = bytes.subarray(taken, taken + blockBytes - filled)
        block.set(part, filled)
        taken += part.length
        filled += part.length
        if (filled === blockBytes) end()
      }
    },
    digest() {
      end()
      return Buffer.concat(hashes)
    },
  }
}
