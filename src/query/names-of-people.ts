/** How people write the names of authors and directors, and of the brands that games are known by. */
import { queryWords, withoutLongVowels } from './query-words.js'

export interface SpeltName {
  readonly words: string
  /** Whether the words mean the person only after `by` and the like. */
  readonly needsMaker: boolean
}

/** @param isEveryday of the stem of a word: `Japan` of `Hobby Japan` names nobody */
export function namesOf(person: string, isEveryday: (stem: string) => boolean): SpeltName[] {
  const parts = person.split(/\s+/)
  const [only, ...others] = queryWords(person)
  // `TYPE-MOON` is one name of two words.
  if (parts.length < 2) return spelt([person, ...joined([person])], others.length === 0)
  if (only === undefined) return []
  return [parts, parts.map(withoutLongVowels)].flatMap((names) => {
    const [given = '', family = ''] = [names[0], names.at(-1)]
    const initials = names.some((name) => /^\p{L}\.?$/u.test(name))
    const whole = [names.join(' '), [family, ...names.slice(0, -1)].join(' '), ...joined(names)]
    return [
      ...spelt(initials ? [...whole, `${given} ${family}`] : whole, false),
      ...spelt(isFamilyName(family, isEveryday) ? [family] : [], true),
    ]
  })
}

const spelt = (names: readonly string[], needsMaker: boolean): SpeltName[] =>
  names.map((words) => ({ words, needsMaker }))

/** `nisioisin`; but `G.O.` is no `go`. */
function joined(names: readonly string[]): readonly string[] {
  const words = queryWords(names.join(' ')).map(({ folded }) => folded)
  return words.every((word) => word.length > 1) ? [words.join('')] : []
}

const isFamilyName = (name: string, isEveryday: (stem: string) => boolean): boolean =>
  name.length > 1 && queryWords(name).some(({ stem }) => !isEveryday(stem))
