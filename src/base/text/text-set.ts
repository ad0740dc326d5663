/**
 * A set of texts in flat arrays (native/core/rows/text_set.h builds them): which one is this, which begin like this, and which
 * are within a few edits of this. Texts have numbers; a lower number is no longer than a higher one.
 */
import { editDistance, maxUnits, readUnits } from './edit-distance.js'
import {
  allowedEdits,
  bitCount,
  createBuckets,
  gramBuckets,
  leastShared,
  rarestBuckets,
  shortLength,
  unitMask,
} from './grams.js'
import type { OpenSections } from './sections.js'

export interface TextSet {
  readonly count: number
  /** The number of the text, -1 where it is not in the set. */
  find(text: string): number
  hasBeginning(prefix: string): boolean
  /** Numbers of all texts that begin with the prefix, in alphabetical order. */
  startingWith(prefix: string): Uint32Array
  /** How far each text is that is within so many edits, or within those that its own length allows. */
  near(text: string, edits: number): Map<number, number>
  lengthOf(number: number): number
  textOf(number: number): string
}

export function openTextSet(sections: OpenSections, prefix: string): TextSet {
  const bytes = sections.u8(`${prefix}.bytes`)
  const starts = sections.u32(`${prefix}.starts`)
  const lengths = sections.u8(`${prefix}.lengths`)
  const lengthStarts = sections.u32(`${prefix}.lengthStarts`)
  const alphabetical = sections.u32(`${prefix}.alphabetical`)
  const masks = sections.u32(`${prefix}.masks`)
  const counts = sections.u32(`${prefix}.counts`)
  const gramStarts = sections.u32(`${prefix}.gramStarts`)
  const gramTexts = sections.u32(`${prefix}.gramTexts`)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const buckets = createBuckets()
  /** How many buckets a text has in common with the one that is looked for. */
  const shared = new Uint8Array(lengths.length)
  const given = new Uint16Array(maxUnits)
  const stored = new Uint16Array(maxUnits)

  const readGiven = (text: string) => readUnits(text, given)

  function unitAt(start: number, position: number, isWide: boolean): number {
    if (!isWide) return bytes[start + position] ?? 0
    const at = start + 2 * position
    return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  }

  function readStored(number: number): number {
    const start = starts[number] ?? 0
    const length = lengths[number] ?? 0
    const isWide = (starts[number + 1] ?? 0) - start > length
    for (let position = 0; position < length; position += 1) {
      stored[position] = unitAt(start, position, isWide)
    }
    return length
  }

  /** Below 0 where the stored text comes before the given one; 0 where it begins with it. */
  function compareStart(number: number, givenLength: number): number {
    const start = starts[number] ?? 0
    const length = lengths[number] ?? 0
    const isWide = (starts[number + 1] ?? 0) - start > length
    const shared = Math.min(length, givenLength)
    for (let position = 0; position < shared; position += 1) {
      const difference = unitAt(start, position, isWide) - (given[position] ?? 0)
      if (difference !== 0) return difference
    }
    return length < givenLength ? -1 : 0
  }

  /** The first position in alphabetical order whose text does not pass. */
  function lowerBound(length: number, low: number, passes: (comparison: number) => boolean) {
    let high = alphabetical.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (passes(compareStart(alphabetical[middle] ?? 0, length))) low = middle + 1
      else high = middle
    }
    return low
  }

  function addIfNear(number: number, length: number, edits: number, found: Map<number, number>) {
    const bound = Math.min(edits, allowedEdits(lengths[number] ?? 0))
    const distance = editDistance(given, length, stored, readStored(number), bound)
    if (distance <= bound) found.set(number, distance)
  }

  return {
    count: lengths.length,
    find(text) {
      if (text.length > maxUnits) return -1
      const length = readGiven(text)
      const number = alphabetical[lowerBound(length, 0, isBefore)] ?? -1
      return number >= 0 && lengths[number] === length && compareStart(number, length) === 0
        ? number
        : -1
    },
    hasBeginning(prefix) {
      if (prefix.length > maxUnits) return false
      const length = readGiven(prefix)
      const number = alphabetical[lowerBound(length, 0, isBefore)]
      return number !== undefined && compareStart(number, length) === 0
    },
    startingWith(prefix) {
      if (prefix.length > maxUnits) return alphabetical.subarray(0, 0)
      const length = readGiven(prefix)
      const from = lowerBound(length, 0, isBefore)
      return alphabetical.subarray(from, lowerBound(length, from, isNotAfter))
    },
    near(text, edits) {
      const found = new Map<number, number>()
      const length = readGiven(text)
      if (length === 0) return found
      const from = lengthStarts[Math.max(0, length - edits)] ?? 0
      const to = lengthStarts[Math.min(maxUnits, length + edits) + 1] ?? 0
      if (length <= shortLength + edits) {
        const lastShort = Math.min(to, lengthStarts[shortLength + 1] ?? 0)
        for (let number = from; number < lastShort; number += 1) {
          addIfNear(number, length, edits, found)
        }
      }
      const chosen = rarestBuckets(buckets, gramBuckets(given, length, buckets), edits, counts)
      const least = leastShared(chosen, edits)
      const mask = unitMask(given, length)
      shared.fill(0, from, to)
      for (let place = 0; place < chosen; place += 1) {
        const bucket = buckets[place] ?? 0
        const end = gramStarts[bucket + 1] ?? 0
        for (let at = firstFrom(gramTexts, gramStarts[bucket] ?? 0, end, from); at < end; at += 1) {
          const number = gramTexts[at] ?? 0
          if (number >= to) break
          shared[number] = (shared[number] ?? 0) + 1
          if (shared[number] !== least) continue
          if (bitCount((masks[number] ?? 0) ^ mask) > 2 * edits) continue
          addIfNear(number, length, edits, found)
        }
      }
      return found
    },
    lengthOf: (number) => lengths[number] ?? 0,
    textOf(number) {
      const start = starts[number] ?? 0
      const end = starts[number + 1] ?? 0
      const isWide = end - start > (lengths[number] ?? 0)
      return buffer.toString(isWide ? 'utf16le' : 'latin1', start, end)
    },
  }
}

const isBefore = (comparison: number) => comparison < 0
const isNotAfter = (comparison: number) => comparison <= 0

/** Where in an ascending part of a list the first number of at least `least` is. */
export function firstFrom(
  list: Uint32Array | Float64Array,
  begin: number,
  end: number,
  least: number,
): number {
  let low = begin
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
