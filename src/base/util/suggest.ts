/** "Did you mean …?" for words that people type: flags, commands, keys of the configuration file. */
import { distance } from 'fastest-levenshtein'

/** The allowed word nearest to a mistyped one; undefined if none is near enough to help. */
function nearestWord(word: string, allowed: readonly string[]): string | undefined {
  // A third of the letters, and two swapped letters: `prot` finds `port`, `workers` does not find `timeout`.
  const maxDistance = Math.max(word.length < 4 ? 1 : 2, Math.floor(word.length / 3))
  let nearest: string | undefined
  let nearestDistance = maxDistance + 1
  for (const candidate of allowed) {
    const edits = distance(word, candidate)
    if (edits < nearestDistance) [nearest, nearestDistance] = [candidate, edits]
  }
  return nearest
}

/** `; did you mean …?`, or nothing. */
export function suggestion(word: string, allowed: readonly string[]): string {
  const nearest = nearestWord(word, allowed)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

/** The positions of the allowed words that come nearest, however far they are; words that contain it come first. */
export function nearestWords(word: string, allowed: readonly string[], count: number): number[] {
  const lower = word.toLowerCase()
  const edits = allowed.map((candidate) => {
    const other = candidate.toLowerCase()
    const isPart = lower.length > 2 && (other.includes(lower) || lower.includes(other))
    return isPart ? Math.abs(other.length - lower.length) / 1000 : distance(lower, other)
  })
  return [...allowed.keys()]
    .sort((one, other) => (edits[one] ?? 0) - (edits[other] ?? 0))
    .slice(0, count)
}
