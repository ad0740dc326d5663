/** Words without their plural endings. */

/** Harman's S-stemmer ("How effective is suffixing?", 1991): plural endings alone. */
export function stemOf(word: string): string {
  if (word.length < 4 || !(word.endsWith('s') || word.endsWith('ie'))) return word
  // `movie` meets `movies`, whose singular looks like that of `stories`.
  if (/[^ae]ie$/.test(word)) return `${word.slice(0, -2)}y`
  if (/[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2)
  return /[^ius]s$/.test(word) ? word.slice(0, -1) : word
}

/** The words that a comparative or superlative may be derived from: `darker` from `dark`, `funniest` from `funny`. */
export function positivesOf(word: string): readonly string[] {
  const root = /^(.{2,})(?:er|est)$/.exec(word)?.[1]
  if (root === undefined) return []
  return [
    root,
    `${root}e`,
    ...(root.endsWith('i') ? [`${root.slice(0, -1)}y`] : []),
    ...(root.at(-1) === root.at(-2) ? [root.slice(0, -1)] : []),
  ]
}
