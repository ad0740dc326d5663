/** What the magazines of a dataset are called: `Weekly Shounen Jump`, `shonen jump`, `jump`. */
import type { Lexicon } from './lexicon.js'
import type { SenseEntry } from './sense.js'
import { keyOf, withoutLongVowels, wordsOf } from '../../base/text/words.js'

/** @param names those in which most ran first */
export function magazineSenses(
  { magazines: usual }: Pick<Lexicon, 'magazines'>,
  names: readonly string[],
): readonly SenseEntry[] {
  const called = new Map<string, { readonly words: string; readonly names: Set<string> }>()
  const call = (words: string, name: string) => {
    for (const spelt of [words, withoutLongVowels(words)]) {
      const one = called.get(keyOf(spelt)) ?? { words: spelt, names: new Set<string>() }
      called.set(keyOf(spelt), one)
      one.names.add(name)
    }
  }
  const known = new Map(names.map((name) => [fullName(name).toLowerCase(), name]))
  for (const name of names) {
    const { period, base } = parted(name)
    call(name, name)
    for (const when of period === undefined ? ['weekly', 'monthly'] : [period])
      call(`${when} ${base}`, name)
    if (!/\bmagazine\b/i.test(base)) call(`${base} magazine`, name)
  }
  for (const [full, shorts] of Object.entries(usual)) {
    const name = known.get(full.toLowerCase())
    if (name === undefined) continue
    for (const words of shorts) {
      call(words, name)
      call(`${words} magazine`, name)
    }
  }
  for (const name of names) call(parted(name).base, name)
  return [...called.values()].map(({ words, names }): SenseEntry => {
    const [value = '', ...alternatives] = names
    const isWord = wordsOf(words).length < 2
    const fact = {
      kind: 'magazine' as const,
      value,
      ...(alternatives.length > 0 && { alternatives }),
    }
    return [
      words,
      {
        list: isWord ? 'magazineWord' : 'magazine',
        fact,
        label: value,
        confidence: 1,
        spelt: isWord ? wordsOf(words)[0]?.folded : undefined,
      },
    ]
  })
}

const periodPattern = /^(weekly|monthly) | \((weekly|monthly)\)$/i

/** Catalogues write `Weekly Shounen Jump` and `Shounen Jump (Weekly)`. */
function parted(name: string): { readonly period: string | undefined; readonly base: string } {
  const [, before, after] = periodPattern.exec(name) ?? []
  return { period: before ?? after, base: name.replace(periodPattern, '') }
}

function fullName(name: string): string {
  const { period, base } = parted(name)
  return period === undefined ? base : `${period} ${base}`
}
