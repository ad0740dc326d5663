/**
 * Distinct texts as flat arrays: see `openTextSet` for what they are searched for. Their numbers are in the
 * order of their lengths, so that a list of numbers is cut to a range of lengths by two searches.
 */
import { maxUnits } from './edit-distance.js'
import {
  allowedEdits,
  bucketCount,
  createBuckets,
  gramBuckets,
  rarestBuckets,
  unitMask,
} from './grams.js'
import type { Section } from './sections.js'
import { accumulate, sortByKeys } from './stable-sort.js'
import type { TextNumbers } from './text-numbers.js'

export interface BuiltTextSet {
  readonly sections: readonly Section[]
  /** The number of each text by the one that it had. */
  readonly numbers: Uint32Array
}

/** @param texts of at most `maxUnits` units */
export function buildTextSet(prefix: string, texts: TextNumbers): BuiltTextSet {
  const flat = flatten(texts)
  const order = byCodeUnits(flat)
  const { numbers, lengthStarts } = numberByLength(flat, order)
  const alphabetical = order.map((position) => numbers[position] ?? 0)
  const { bytes, starts, lengths } = packTexts(flat, numbers)
  const { masks, counts, gramStarts, gramTexts } = indexGrams(flat, numbers)
  const sections = { bytes, starts, lengths, lengthStarts, alphabetical, masks, counts }
  const all = { ...sections, gramStarts, gramTexts }
  return {
    sections: Object.entries(all).map(([name, array]) => ({ name: `${prefix}.${name}`, array })),
    numbers,
  }
}

interface FlatTexts {
  readonly units: Uint16Array
  /** Where each text begins, and where the last ends. */
  readonly starts: Uint32Array
  readonly count: number
}

function flatten(texts: TextNumbers): FlatTexts {
  const starts = new Uint32Array(texts.count + 1)
  starts.set(texts.ends(), 1)
  return { units: texts.units(), starts, count: texts.count }
}

const lengthOf = ({ starts }: FlatTexts, text: number): number =>
  (starts[text + 1] ?? 0) - (starts[text] ?? 0)

/** Units that a key has. */
const keyUnits = 3
const unitKeys = 2 ** 17

/** By the first units as one number, and those that have the same one by one. */
function byCodeUnits(texts: FlatTexts): Uint32Array {
  const { units, starts, count } = texts
  const keys = new Float64Array(count)
  for (let text = 0; text < count; text += 1) {
    const start = starts[text] ?? 0
    const length = lengthOf(texts, text)
    let key = 0
    for (let at = 0; at < keyUnits; at += 1) {
      // What ends before comes first.
      key = key * unitKeys + (at < length ? 1 + (units[start + at] ?? 0) : 0)
    }
    keys[text] = key
  }
  const compare = (one: number, other: number) => {
    const [oneStart, otherStart] = [starts[one] ?? 0, starts[other] ?? 0]
    const [oneLength, otherLength] = [lengthOf(texts, one), lengthOf(texts, other)]
    const shared = Math.min(oneLength, otherLength)
    for (let at = keyUnits; at < shared; at += 1) {
      const difference = (units[oneStart + at] ?? 0) - (units[otherStart + at] ?? 0)
      if (difference !== 0) return difference
    }
    return oneLength - otherLength
  }
  const order = sortByKeys(
    Uint32Array.from(keys, (_, text) => text),
    keys,
  )
  for (let begin = 0; begin < count;) {
    let end = begin + 1
    while (end < count && keys[order[end] ?? 0] === keys[order[begin] ?? 0]) end += 1
    if (end > begin + 1) order.subarray(begin, end).sort(compare)
    begin = end
  }
  return order
}

function numberByLength(texts: FlatTexts, order: Uint32Array) {
  const lengthStarts = new Uint32Array(maxUnits + 2)
  for (const text of order) {
    const length = lengthOf(texts, text)
    lengthStarts[length + 1] = (lengthStarts[length + 1] ?? 0) + 1
  }
  accumulate(lengthStarts)
  const next = lengthStarts.slice()
  const numbers = new Uint32Array(texts.count)
  for (const text of order) {
    const length = lengthOf(texts, text)
    const number = next[length] ?? 0
    numbers[text] = number
    next[length] = number + 1
  }
  return { numbers, lengthStarts }
}

/** One byte a unit where that holds the text, else two. */
function packTexts(texts: FlatTexts, numbers: Uint32Array) {
  const { units, starts: from, count } = texts
  const lengths = new Uint8Array(count)
  const starts = new Uint32Array(count + 1)
  for (let text = 0; text < count; text += 1) {
    const number = numbers[text] ?? 0
    const length = lengthOf(texts, text)
    lengths[number] = length
    starts[number + 1] = isWide(texts, text) ? length * 2 : length
  }
  accumulate(starts)
  const bytes = new Uint8Array(starts[count] ?? 0)
  for (let text = 0; text < count; text += 1) {
    const number = numbers[text] ?? 0
    const [start, length] = [from[text] ?? 0, lengthOf(texts, text)]
    let slot = starts[number] ?? 0
    const wide = (starts[number + 1] ?? 0) - slot > length
    for (let at = start; at < start + length; at += 1) {
      const unit = units[at] ?? 0
      bytes[slot] = unit
      slot += 1
      if (!wide) continue
      bytes[slot] = unit >> 8
      slot += 1
    }
  }
  return { bytes, starts, lengths }
}

function isWide({ units, starts }: FlatTexts, text: number): boolean {
  const end = starts[text + 1] ?? 0
  for (let at = starts[text] ?? 0; at < end; at += 1) if ((units[at] ?? 0) > 0xff) return true
  return false
}

/** Buckets that are in one piece of memory. */
const pieceBuckets = 2 ** 20

function indexGrams(texts: FlatTexts, numbers: Uint32Array) {
  const { count } = texts
  const masks = new Uint32Array(count)
  const counts = new Uint32Array(bucketCount)
  const units = new Uint16Array(maxUnits)
  const buckets = createBuckets()
  const read = (text: number) => {
    const [start, length] = [texts.starts[text] ?? 0, lengthOf(texts, text)]
    for (let at = 0; at < length; at += 1) units[at] = texts.units[start + at] ?? 0
    return gramBuckets(units, length, buckets)
  }
  for (let text = 0; text < count; text += 1) {
    const grams = read(text)
    masks[numbers[text] ?? 0] = unitMask(units, lengthOf(texts, text))
    for (let place = 0; place < grams; place += 1) {
      const bucket = buckets[place] ?? 0
      counts[bucket] = (counts[bucket] ?? 0) + 1
    }
  }
  // In the order of the numbers, so that each list is in order.
  const textOf = new Uint32Array(count)
  numbers.forEach((number, text) => (textOf[number] = text))
  const gramStarts = new Uint32Array(bucketCount + 1)
  const chosen = new Uint8Array(count)
  const pieces: Uint32Array[] = []
  let piece = new Uint32Array(0)
  let filled = 0
  for (let number = 0; number < count; number += 1) {
    const text = textOf[number] ?? 0
    const most = rarestBuckets(buckets, read(text), allowedEdits(lengthOf(texts, text)), counts)
    if (filled + most > piece.length) {
      pieces.push((piece = new Uint32Array(pieceBuckets)))
      filled = 0
    }
    for (let place = 0; place < most; place += 1) {
      const bucket = buckets[place] ?? 0
      gramStarts[bucket + 1] = (gramStarts[bucket + 1] ?? 0) + 1
      piece[filled] = bucket
      filled += 1
    }
    chosen[number] = most
  }
  accumulate(gramStarts)
  return { masks, counts, gramStarts, gramTexts: listTexts(pieces, chosen, gramStarts) }
}

/** The texts of each bucket, from the buckets of each text, as many as are chosen of each. */
function listTexts(
  pieces: readonly Uint32Array[],
  chosen: Uint8Array,
  gramStarts: Uint32Array,
): Uint32Array {
  const gramTexts = new Uint32Array(gramStarts.at(-1) ?? 0)
  const next = gramStarts.slice()
  let piece = -1
  let at = pieceBuckets
  for (let number = 0; number < chosen.length; number += 1) {
    const most = chosen[number] ?? 0
    if (at + most > pieceBuckets) {
      piece += 1
      at = 0
    }
    const buckets = pieces[piece]
    for (const end = at + most; at < end; at += 1) {
      const bucket = buckets?.[at] ?? 0
      const slot = next[bucket] ?? 0
      gramTexts[slot] = number
      next[bucket] = slot + 1
    }
  }
  return gramTexts
}
