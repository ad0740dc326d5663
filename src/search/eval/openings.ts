/** Which part of a text becomes the query, and when two texts count as one. */

const sentenceEnd = /(?<=[.!?…]["'”’)]{0,3})\s+(?=["'“‘(]*[\p{Lu}\p{N}])/u
const maxSentences = 2
const maxCharacters = 400

/** The first two sentences of a text on one line, at most 400 characters. */
export function opening(text: string): string {
  const sentences = text.split(sentenceEnd).slice(0, maxSentences)
  const line = sentences.join(' ').replace(/\s+/g, ' ').trim()
  // The cut may fall between the halves of a character.
  return line
    .slice(0, maxCharacters)
    .replace(/\p{Cs}$/u, '')
    .trim()
}

/** Long enough that two authors do not begin alike by chance. */
const beginningCharacters = 32

/** Whether one text was copied from the other, judged by their first letters and digits. */
export function sharesBeginning(one: string, other: string): boolean {
  return beginningOf(one) === beginningOf(other)
}

const beginningOf = (text: string) =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
    .slice(0, beginningCharacters)
