/** The words of `splitWords` by number, in the order in which they first occur. */
import { splitWords } from '../../base/text/searched-words.js'
import { createTextNumbers } from '../../base/text/text-numbers.js'

export interface WordNumbers {
  /** Adds the numbers of the text's words to the list, in their order. */
  read(text: string, numbers: number[]): void
  readonly count: number
  /** All words so far, by their numbers. */
  words(): Iterable<string>
}

export function createWordNumbers(): WordNumbers {
  const numbered = createTextNumbers()
  const wordUnits = findWordUnits()
  return {
    read(text, numbers) {
      for (let position = 0; position < text.length; position += 1) {
        const end = endOfWord(text, position, wordUnits)
        if (end > position) numbers.push(numbered.add(text, position, end))
        // The rest at the end belongs to no word.
        position = end
      }
    },
    get count() {
      return numbered.count
    },
    words: () => numbered.texts(),
  }
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
