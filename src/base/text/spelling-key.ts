/**
 * Japanese names have several spellings in Latin letters: 大空 is Oozora, Ohzora, Ōzora or Ozora, and Tsubasa is
 * also Tubasa.
 */

/** The index key of a rare stem. It starts with ~, so it never equals a stem. */
export function spellingKey(stem: string): string {
  const short = stem.replace(/aa+|ii+|uu+|o[ouh]+/g, (vowels) => vowels.charAt(0))
  const common = short.replace(/m(?=[bp])/g, 'n')
  return `~${common.replace(/shi|chi|tsu|ji/g, (syllable) => kunrei[syllable] ?? syllable)}`
}

/** Hepburn's spellings as the other system has them. */
const kunrei: Readonly<Record<string, string>> = { shi: 'si', chi: 'ti', tsu: 'tu', ji: 'zi' }
