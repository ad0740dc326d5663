/** "Did you mean …?" for words that people type: flags, commands, keys of the configuration file. */

/** The known word nearest to a mistyped one, or undefined where none is near enough to help. */
function nearestWord(word: string, known: readonly string[]): string | undefined {
  // A third of the letters: `prot` finds `port`, `workers` does not become `timeout`.
  let nearestDistance = Math.floor(Math.max(word.length, 3) / 3) + 1
  let nearest: string | undefined
  for (const candidate of known) {
    const distance = editDistance(word, candidate)
    if (distance < nearestDistance) [nearest, nearestDistance] = [candidate, distance]
  }
  return nearest
}

/** `; did you mean …?`, or nothing. */
export function suggestion(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const current = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const shorter = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replaced)
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      current.push(isSwap ? Math.min(shorter, (beforePrevious[j - 2] ?? 0) + 1) : shorter)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}
