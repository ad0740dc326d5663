/** How people write the names of authors and directors, and of the brands that games are known by. */
import { wordsOf, withoutLongVowels } from './words.js'

export interface SpeltName {
  readonly words: string
  /** Whether it is a family name alone, or one word that may be any other. */
  readonly isFamily: boolean
}

export function spellingsOf(person: string): readonly SpeltName[] {
  const parts = person.split(/\s+/)
  const words = wordsOf(person)
  if (words.length === 0) return []
  if (parts.length < 2)
    return [person, ...joined([person])].map((name) => ({
      words: name,
      isFamily: words.length < 2,
    }))
  const all = [parts, parts.map(withoutLongVowels)].flatMap((names): SpeltName[] => {
    const [given = '', family = ''] = [names[0], names.at(-1)]
    const hasInitials = names.some((name) => /^\p{L}\.?$/u.test(name))
    const whole = [names.join(' '), [family, ...names.slice(0, -1)].join(' '), ...joined(names)]
    const short = hasInitials ? [`${given} ${family}`] : []
    return [
      ...[...whole, ...short].map((name) => ({ words: name, isFamily: false })),
      ...(family.length > 1 ? [{ words: family, isFamily: true }] : []),
    ]
  })
  return [...new Map(all.map((name) => [name.words, name])).values()]
}

/** `nisioisin`; but `G.O.` is no `go`. */
function joined(names: readonly string[]): readonly string[] {
  const words = wordsOf(names.join(' ')).map(({ folded }) => folded)
  return words.length > 1 && words.every((word) => word.length > 1) ? [words.join('')] : []
}
