/** Whether works have ended, in the words of catalogues: `Finished Airing`, `RELEASING`, `Publishing`. */

/** The statuses of queries, and the words of catalogues for each. */
const wordsFor: ReadonlyMap<string, readonly string[]> = new Map([
  ['finished', ['finished', 'completed', 'complete', 'ended']],
  ['ongoing', ['ongoing', 'releasing', 'airing', 'publishing', 'current', 'continuing']],
])
const meanings: ReadonlyMap<string, string> = new Map(
  Array.from(wordsFor, ([meaning, words]) => words.map((word) => [word, meaning] as const)).flat(),
)

/** `Finished Airing` is `finished`, `Currently Airing` is `ongoing`; other words are as they are, in lower case. */
export function statusOf(value: string): string {
  const words = value.toLowerCase().split(/[^\p{L}]+/u)
  const [known] = words.flatMap((word) => meanings.get(word) ?? [])
  return known ?? value.toLowerCase()
}

/** Rows by status; values of one meaning together. */
export function statusRows(
  lists: readonly { readonly value: string; readonly rows: Uint32Array }[],
): ReadonlyMap<string, Uint32Array> {
  const found = new Map<string, Uint32Array>()
  for (const { value, rows } of lists) {
    const status = statusOf(value)
    const known = found.get(status)
    found.set(status, known === undefined ? rows : Uint32Array.from([...known, ...rows]).sort())
  }
  return found
}
