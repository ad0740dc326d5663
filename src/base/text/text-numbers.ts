/**
 * Distinct texts by number, in the order in which they first occur, found by their units. A string for each of the
 * millions that a dataset has would cost three times as long, and would keep the text that it is a part of.
 */
export interface TextNumbers {
  /** The number of a part of a text, which is added where it is new. */
  add(text: string, begin: number, end: number): number
  /** The number of a text, -1 where it has none. */
  find(text: string): number
  readonly count: number
  /** Units of UTF-16 of all texts, one after the other; not valid after an addition. */
  units(): Uint16Array
  /** Where each text ends in them. */
  ends(): Uint32Array
  /** All so far, by their numbers. */
  texts(): Iterable<string>
}

export function createTextNumbers(): TextNumbers {
  /** Open addressing: a number plus one, or 0. At most half of the slots are taken. */
  let slots = new Uint32Array(1 << 12)
  let hashes = new Uint32Array(slots.length / 2)
  let ends = new Uint32Array(slots.length / 2)
  let units = new Uint16Array(1 << 14)
  let count = 0

  const startOf = (number: number) => (number === 0 ? 0 : (ends[number - 1] ?? 0))

  /** The slot of the text, or the one that it would take. */
  function slotOf(text: string, begin: number, end: number, hash: number): number {
    let slot = hash & (slots.length - 1)
    for (let taken = slots[slot] ?? 0; taken > 0; taken = slots[slot] ?? 0) {
      if (hashes[taken - 1] === hash && isText(taken - 1, text, begin, end)) break
      slot = (slot + 1) & (slots.length - 1)
    }
    return slot
  }

  function isText(number: number, text: string, begin: number, end: number): boolean {
    const start = startOf(number)
    if ((ends[number] ?? 0) - start !== end - begin) return false
    for (let position = begin; position < end; position += 1) {
      if (units[start + position - begin] !== text.charCodeAt(position)) return false
    }
    return true
  }

  function append(text: string, begin: number, end: number, hash: number): number {
    const start = startOf(count)
    while (start + end - begin > units.length) units = doubled(units, Uint16Array)
    for (let position = begin; position < end; position += 1) {
      units[start + position - begin] = text.charCodeAt(position)
    }
    ends[count] = start + end - begin
    hashes[count] = hash
    count += 1
    if (count === hashes.length) grow()
    return count - 1
  }

  function grow(): void {
    hashes = doubled(hashes, Uint32Array)
    ends = doubled(ends, Uint32Array)
    slots = new Uint32Array(slots.length * 2)
    for (let number = 0; number < count; number += 1) {
      let slot = (hashes[number] ?? 0) & (slots.length - 1)
      while ((slots[slot] ?? 0) > 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number + 1
    }
  }

  return {
    add(text, begin, end) {
      const hash = hashOf(text, begin, end)
      const slot = slotOf(text, begin, end, hash)
      const taken = slots[slot] ?? 0
      if (taken > 0) return taken - 1
      slots[slot] = count + 1
      return append(text, begin, end, hash)
    },
    find: (text) => (slots[slotOf(text, 0, text.length, hashOf(text, 0, text.length))] ?? 0) - 1,
    get count() {
      return count
    },
    units: () => units.subarray(0, startOf(count)),
    ends: () => ends.subarray(0, count),
    *texts() {
      const bytes = Buffer.from(units.buffer)
      for (let number = 0; number < count; number += 1) {
        yield bytes.toString('utf16le', startOf(number) * 2, (ends[number] ?? 0) * 2)
      }
    },
  }
}

/** FNV-1a over units of 16 bits. */
function hashOf(text: string, begin: number, end: number): number {
  let hash = 0x811c9dc5
  for (let position = begin; position < end; position += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(position), 0x01000193)
  }
  return hash >>> 0
}

function doubled<T extends Uint16Array | Uint32Array>(
  array: T,
  Type: new (length: number) => T,
): T {
  const larger = new Type(array.length * 2)
  larger.set(array)
  return larger
}
