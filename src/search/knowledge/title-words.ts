/** What the words of a typed title say: how many there are, which year follows. */
import { foldWords } from '../../base/text/fold-words.js'

/** Its words, folded as those of titles are: `Pokémon's` is pokemon and s. */
const foldedWords = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((chunk) =>
    foldWords(chunk)
      .map(({ word }) => word)
      .join(''),
  )

export const foldText = (text: string): string => foldedWords(text).join('')

/** Whether several words are the part before the subtitle. */
export function isHeadOf(text: string, title: string): boolean {
  const [head = '', ...subtitles] = title.split(/[:：]\s|\s[-–—~]/u)
  return subtitles.length > 0 && wordCount(text) > 1 && foldText(head) === foldText(text)
}

export const wordCount = (text: string): number => text.trim().split(/\s+/).length

/** The year after a name, 0 where there is none. */
export const yearAfter = (text: string): number =>
  Number(/\s(19[5-9]\d|20[0-3]\d)$/.exec(text.trim())?.[1] ?? 0)

/** Whether a title ends with a number where a text ends with a year: `digimon adventure 2020` is no typo of 02. */
export function hasOtherNumber(title: string, text: string): boolean {
  const [, number = ''] = /\s(\d{1,3})$/.exec(title) ?? []
  return number !== '' && yearAfter(text) > 0 && !text.split(/\s+/).includes(number)
}
