/**
 * Three neighbouring units of a word, its begin and end marked, as numbers of buckets. Two words within k
 * edits share all but 4k buckets of either (a swap of neighbours touches four grams). So, with the buckets
 * of each in one order, rarest first, they share c of the first 4k + c of each: only those are in the
 * index, and a word that shares fewer is not compared. native/core/rows/text_set.cpp builds the index by the same rules.
 */
import { maxUnits } from './edit-distance.js'

/** More buckets than a catalogue has grams that matter; a collision costs a comparison, no answer. */
const bucketCount = 1 << 17

/** Grams that one edit changes at most. */
const gramsOfEdit = 4

/** The mark before the first unit and after the last: no letter. */
const edge = 0

/** How many edits a word of that length may have. */
export function allowedEdits(length: number): number {
  if (length <= 7) return 1
  return length <= 14 ? 2 : 3
}

/** Shorter words share no gram with some of their neighbours, and are compared one by one. */
export const shortLength = 2

/** Room for the buckets of a word. */
export function createBuckets(): Uint32Array {
  return new Uint32Array(maxUnits + 2)
}

/** The buckets of all grams in the order of the word; returns how many there are. */
export function gramBuckets(units: Uint16Array, length: number, buckets: Uint32Array): number {
  let first = edge
  let second = edge
  for (let position = 0; position < length + 2; position += 1) {
    const third = position < length ? (units[position] ?? edge) : edge
    buckets[position] = bucketOf(first, second, third)
    first = second
    second = third
  }
  return length + 2
}

/** The c of above: more leave fewer words to compare, and longer lists to read. */
const sharedBuckets = 3

const sorted = new Float64Array(maxUnits + 2)

/**
 * Puts the distinct buckets that matter for `edits` in front, the rarest first; returns how many. `counts`
 * says how often each bucket occurs in all words.
 */
export function rarestBuckets(
  buckets: Uint32Array,
  count: number,
  edits: number,
  counts: Uint32Array,
): number {
  // A word is short: a call of `sort` takes three times as long.
  for (let position = 0; position < count; position += 1) {
    const bucket = buckets[position] ?? 0
    const key = (counts[bucket] ?? 0) * bucketCount + bucket
    let slot = position
    while (slot > 0 && (sorted[slot - 1] ?? 0) > key) {
      sorted[slot] = sorted[slot - 1] ?? 0
      slot -= 1
    }
    sorted[slot] = key
  }
  const most = gramsOfEdit * edits + sharedBuckets
  let distinct = 0
  for (let position = 0; position < count && distinct < most; position += 1) {
    if (position > 0 && sorted[position] === sorted[position - 1]) continue
    buckets[distinct] = (sorted[position] ?? 0) % bucketCount
    distinct += 1
  }
  return distinct
}

/** How many of its `chosen` buckets a word shares with each word that is within `edits`. */
export function leastShared(chosen: number, edits: number): number {
  return Math.max(1, chosen - gramsOfEdit * edits)
}

function bucketOf(first: number, second: number, third: number): number {
  let hash = Math.imul(first + 1, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ Math.imul(third + 1, 0xc2b2ae35)
  hash ^= hash >>> 13
  return (Math.imul(hash, 0x27d4eb2f) >>> 15) & (bucketCount - 1)
}

/** One bit for each unit that the word has, by the unit's last five bits: one edit changes two at most. */
export function unitMask(units: Uint16Array, length: number): number {
  let mask = 0
  for (let position = 0; position < length; position += 1) mask |= 1 << (units[position] ?? 0)
  return mask >>> 0
}

export function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
