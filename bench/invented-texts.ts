/** Texts as long as synopses are, with words as common and as rare as those of a language. */

/** Some 700 characters, as the synopses of the public files have on average. */
const wordsOfText = 110

export function textOf(random: () => number, words = wordsOfText): string {
  // Few words are common and most are rare, as in any language.
  const some = Array.from({ length: words }, () => wordOf(random() ** 3 * 60_000))
  return `${some.join(' ')}.`
}

const syllables = 'ka ri mo te su ha ne do shi lu gen bar tor vel ash mir'.split(' ')

export function wordOf(number: number): string {
  let rest = Math.floor(number)
  let word = ''
  do {
    word += syllables[rest % syllables.length] ?? ''
    rest = Math.floor(rest / syllables.length)
  } while (rest > 0)
  return word
}

/** Numerical Recipes' generator: the same files in every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
