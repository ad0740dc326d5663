/** A list of texts that grows, as bytes of UTF-8: as strings they would take three times the memory. */
import { createGrowingList } from './growing-list.js'

export interface GrowingTexts {
  /** Returns how many texts there are. */
  push(text: string): number
  /** All texts one after the other, and where each ends; not valid after a push. */
  view(): { readonly bytes: Uint8Array; readonly ends: Uint32Array }
}

export function createGrowingTexts(): GrowingTexts {
  let bytes = Buffer.alloc(2 ** 14)
  let length = 0
  const ends = createGrowingList()
  return {
    push(text) {
      while (length + text.length * 3 > bytes.length) {
        const larger = Buffer.alloc(bytes.length * 2)
        larger.set(bytes)
        bytes = larger
      }
      length += bytes.write(text, length)
      ends.push(length)
      return ends.length
    },
    view: () => ({ bytes: bytes.subarray(0, length), ends: ends.view() }),
  }
}
