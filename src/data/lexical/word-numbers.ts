/**
 * Distinct words by number, in the order in which they first occur: the words of `splitWords`, found by
 * their characters. A string for each of the millions that a dataset has would cost three times as long,
 * and those that are kept would keep the texts that they are parts of.
 */
import { splitWords } from '../../base/text/searched-words.js'

export interface WordNumbers {
  /** Adds the numbers of the text's words to the list, in their order. */
  read(text: string, numbers: number[]): void
  readonly count: number
  /** All words so far, by their numbers. */
  words(): Iterable<string>
}

export function createWordNumbers(): WordNumbers {
  /** Open addressing: a number plus one, or 0. At most half of the slots are taken. */
  let slots = new Uint32Array(1 << 12)
  let hashes = new Uint32Array(slots.length / 2)
  /** Where a word's characters end in `characters`; they begin where those of the word before end. */
  let ends = new Uint32Array(slots.length / 2)
  let characters = new Uint16Array(1 << 14)
  let count = 0
  const wordUnits = findWordUnits()

  const startOf = (number: number) => (number === 0 ? 0 : (ends[number - 1] ?? 0))

  function numberOf(text: string, begin: number, end: number): number {
    const hash = hashOf(text, begin, end)
    let slot = hash & (slots.length - 1)
    for (let taken = slots[slot] ?? 0; taken > 0; taken = slots[slot] ?? 0) {
      if (hashes[taken - 1] === hash && isWord(taken - 1, text, begin, end)) return taken - 1
      slot = (slot + 1) & (slots.length - 1)
    }
    slots[slot] = count + 1
    return addWord(text, begin, end, hash)
  }

  function isWord(number: number, text: string, begin: number, end: number): boolean {
    const start = startOf(number)
    if ((ends[number] ?? 0) - start !== end - begin) return false
    for (let position = begin; position < end; position += 1) {
      if (characters[start + position - begin] !== text.charCodeAt(position)) return false
    }
    return true
  }

  function addWord(text: string, begin: number, end: number, hash: number): number {
    const start = startOf(count)
    while (start + end - begin > characters.length) characters = doubled(characters, Uint16Array)
    for (let position = begin; position < end; position += 1) {
      characters[start + position - begin] = text.charCodeAt(position)
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
    read(text, numbers) {
      for (let position = 0; position < text.length; position += 1) {
        const end = endOfWord(text, position, wordUnits)
        if (end > position) numbers.push(numberOf(text, position, end))
        // The rest at the end belongs to no word.
        position = end
      }
    },
    get count() {
      return count
    },
    *words() {
      const bytes = Buffer.from(characters.buffer)
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

/** Where the word ends that begins at the position, which is the position itself where none does. */
function endOfWord(text: string, position: number, wordUnits: Uint8Array): number {
  let end = position
  for (;;) {
    const unit = text.charCodeAt(end)
    if (wordUnits[unit] === 1) end += 1
    else if (isHighSurrogate(unit) && isWordCharacter(text.slice(end, end + 2))) end += 2
    else return end
  }
}

let knownUnits: Uint8Array | undefined

/** 1 for each unit that is a character of words by itself; computed by the first call. */
function findWordUnits(): Uint8Array {
  knownUnits ??= Uint8Array.from({ length: 0x10000 }, (_, unit) =>
    Number(isWordCharacter(String.fromCharCode(unit))),
  )
  return knownUnits
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isWordCharacter(character: string): boolean {
  return splitWords(character)[0] === character
}
