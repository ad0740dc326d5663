/** What the magazines of a dataset are called: `Weekly Shounen Jump`, `shonen jump`, `jump`. */
import { type FactPhrase, oneWordConfidence } from './fact-phrase.js'
import type { Lexicon } from './lexicon.js'
import { queryWords, withoutLongVowels } from './query-words.js'

/** A name that also is something else; `isUsual`: people say it alone, as `jump`. */
export interface EverydayName {
  readonly phrase: FactPhrase
  readonly isUsual: boolean
}

export interface MagazinePhrases {
  /** What means a magazine wherever it stands. */
  readonly sure: readonly (readonly [string, FactPhrase])[]
  /** What means one where something around it says so: `manga in kiss`. */
  readonly everyday: readonly (readonly [string, EverydayName])[]
}

interface Called {
  readonly words: string
  /** The one that is meant most is first. */
  readonly names: string[]
  isSure: boolean
  isUsual: boolean
}

/** The first of what may be read instead: without magazines, `shonen jump` is for boys. */
const sureConfidence = 0.92

/** @param names those in which most ran first; @param everyday stems of everyday words */
export function magazinePhrases(
  { magazines: usual }: Pick<Lexicon, 'magazines'>,
  names: readonly string[],
  everyday: ReadonlySet<string>,
): MagazinePhrases {
  const called = new Map<string, Called>()
  const isOther = (words: string) =>
    queryWords(words).some(({ stem, folded }) => !everyday.has(stem) && !everyday.has(folded))
  const call = (words: string, name: string, isSure: boolean, isUsual = false) => {
    for (const spelt of [words, withoutLongVowels(words)]) {
      const key = queryWords(spelt).map(({ stem }) => stem)
      const one = called.get(key.join(' ')) ?? { words: spelt, names: [], isSure, isUsual }
      called.set(key.join(' '), one)
      one.isSure ||= isSure
      one.isUsual ||= isUsual
      if (!one.names.includes(name)) one.names.push(name)
    }
  }
  const callName = (words: string, name: string) => {
    const count = queryWords(words).length
    call(words, name, count > 2 || (count === 2 && isOther(words)))
  }
  const known = new Map(names.map((name) => [fullName(name).toLowerCase(), name]))
  for (const name of names) {
    const { period, base } = parted(name)
    callName(name, name)
    const periods = period === undefined ? ['weekly', 'monthly'] : [period]
    for (const when of periods) call(`${when} ${base}`, name, true)
    if (!/\bmagazine\b/i.test(base)) call(`${base} magazine`, name, true)
  }
  for (const [full, shorts] of Object.entries(usual)) {
    const name = known.get(full.toLowerCase())
    if (name === undefined) continue
    for (const words of shorts) {
      call(words, name, queryWords(words).length > 1 || isOther(words), true)
      call(`${words} magazine`, name, true)
    }
  }
  for (const name of names) callName(parted(name).base, name)
  const all = [...called.values()].map((one) => [one, phraseOf(one)] as const)
  return {
    sure: all.filter(([{ isSure }]) => isSure).map(([{ words }, phrase]) => [words, phrase]),
    everyday: all
      .filter(([{ isSure }]) => !isSure)
      .map(([{ words, isUsual }, phrase]) => [words, { phrase, isUsual }]),
  }
}

function phraseOf({ words, names }: Called): FactPhrase {
  const [value = '', ...kin] = names
  const [word, ...others] = queryWords(words)
  return {
    fact: { kind: 'magazine', value, ...(kin.length > 0 && { kin }) },
    label: value,
    confidence: others.length === 0 ? oneWordConfidence : sureConfidence,
    needsMaker: false,
    canLack: false,
    spelt: others.length === 0 ? word?.folded : undefined,
  }
}

const periodPattern = /^(weekly|monthly) | \((weekly|monthly)\)$/i

/** Catalogues write `Weekly Shounen Jump` and `Shounen Jump (Weekly)`. */
function parted(name: string): { readonly period: string | undefined; readonly base: string } {
  const [, before, after] = periodPattern.exec(name) ?? []
  const base = name.replace(periodPattern, '')
  return { period: before ?? after, base }
}

function fullName(name: string): string {
  const { period, base } = parted(name)
  return period === undefined ? base : `${period} ${base}`
}
