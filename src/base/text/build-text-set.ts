/**
 * Distinct texts as flat arrays: see `openTextSet` for what they are searched for. Their numbers are in the
 * order of their lengths, so that a list of numbers is cut to a range of lengths by two searches.
 */
import { maxUnits, readUnits } from './edit-distance.js'
import { createGrowingList } from './growing-list.js'
import {
  allowedEdits,
  bucketCount,
  createBuckets,
  gramBuckets,
  rarestBuckets,
  unitMask,
} from './grams.js'
import type { Section } from './sections.js'

export interface BuiltTextSet {
  readonly sections: readonly Section[]
  /** The number of each text as given. */
  readonly numbers: Uint32Array
}

/** @param texts distinct, of at most `maxUnits` units */
export function buildTextSet(prefix: string, texts: readonly string[]): BuiltTextSet {
  const order = byCodeUnits(texts)
  const { numbers, lengthStarts } = numberByLength(texts, order)
  const alphabetical = order.map((position) => numbers[position] ?? 0)
  const { bytes, starts, lengths } = packTexts(texts, numbers)
  const { masks, counts, gramStarts, gramTexts } = indexGrams(texts, numbers)
  const sections = { bytes, starts, lengths, lengthStarts, alphabetical, masks, counts }
  const all = { ...sections, gramStarts, gramTexts }
  return {
    sections: Object.entries(all).map(([name, array]) => ({ name: `${prefix}.${name}`, array })),
    numbers,
  }
}

function byCodeUnits(texts: readonly string[]): Uint32Array {
  const positions = new Map(texts.map((text, position) => [text, position]))
  return Uint32Array.from(texts.toSorted(), (text) => positions.get(text) ?? 0)
}

function numberByLength(texts: readonly string[], order: Uint32Array) {
  const lengthStarts = new Uint32Array(maxUnits + 2)
  for (const text of texts) {
    lengthStarts[text.length + 1] = (lengthStarts[text.length + 1] ?? 0) + 1
  }
  accumulate(lengthStarts)
  const next = lengthStarts.slice()
  const numbers = new Uint32Array(texts.length)
  for (const position of order) {
    const { length } = texts[position] ?? ''
    numbers[position] = next[length] ?? 0
    next[length] = (next[length] ?? 0) + 1
  }
  return { numbers, lengthStarts }
}

/** One byte a unit where that holds the text, else two. */
function packTexts(texts: readonly string[], numbers: Uint32Array) {
  const lengths = new Uint8Array(texts.length)
  const starts = new Uint32Array(texts.length + 1)
  const isWide = (text: string) => /[^\0-\xff]/.test(text)
  texts.forEach((text, position) => {
    const number = numbers[position] ?? 0
    lengths[number] = text.length
    starts[number + 1] = text.length * (isWide(text) ? 2 : 1)
  })
  accumulate(starts)
  const bytes = Buffer.alloc(starts[texts.length] ?? 0)
  texts.forEach((text, position) => {
    bytes.write(text, starts[numbers[position] ?? 0] ?? 0, isWide(text) ? 'utf16le' : 'latin1')
  })
  return { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), starts, lengths }
}

function indexGrams(texts: readonly string[], numbers: Uint32Array) {
  const masks = new Uint32Array(texts.length)
  const counts = new Uint32Array(bucketCount)
  const units = new Uint16Array(maxUnits)
  const buckets = createBuckets()
  const read = (text: string) => gramBuckets(units, readUnits(text, units), buckets)
  texts.forEach((text, position) => {
    const count = read(text)
    masks[numbers[position] ?? 0] = unitMask(units, text.length)
    for (let place = 0; place < count; place += 1) {
      const bucket = buckets[place] ?? 0
      counts[bucket] = (counts[bucket] ?? 0) + 1
    }
  })
  // In the order of the numbers, so that each list is in order.
  const textOf = new Uint32Array(texts.length)
  numbers.forEach((number, position) => (textOf[number] = position))
  const gramStarts = new Uint32Array(bucketCount + 1)
  const pairs = createGrowingList()
  textOf.forEach((position, number) => {
    const text = texts[position] ?? ''
    const count = rarestBuckets(buckets, read(text), allowedEdits(text.length), counts)
    for (let place = 0; place < count; place += 1) {
      const bucket = buckets[place] ?? 0
      gramStarts[bucket + 1] = (gramStarts[bucket + 1] ?? 0) + 1
      pairs.push(bucket)
      pairs.push(number)
    }
  })
  accumulate(gramStarts)
  const gramTexts = new Uint32Array(pairs.length / 2)
  const next = gramStarts.slice()
  const flat = pairs.view()
  for (let at = 0; at < flat.length; at += 2) {
    const bucket = flat[at] ?? 0
    gramTexts[next[bucket] ?? 0] = flat[at + 1] ?? 0
    next[bucket] = (next[bucket] ?? 0) + 1
  }
  return { masks, counts, gramStarts, gramTexts }
}

/** Turns how many there are of each, one further, into where those of each begin. */
export function accumulate(starts: Uint32Array): void {
  for (let position = 1; position < starts.length; position += 1) {
    starts[position] = (starts[position] ?? 0) + (starts[position - 1] ?? 0)
  }
}
