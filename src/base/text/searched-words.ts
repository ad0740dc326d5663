/** Words of texts and queries, as full-text search compares them. */

const wordRuns = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** In order of appearance, as written. */
export function splitWords(text: string): readonly string[] {
  return text.match(wordRuns) ?? []
}

let knownRanges: Uint32Array | undefined

/** Characters that words consist of: the first and the last code point of each range. Computed by the first call. */
export function wordCharacterRanges(): Uint32Array {
  knownRanges ??= Uint32Array.from([...assignedPlanes.flatMap(rangesOf), ...privatePlanes])
  return knownRanges
}

/** Code points of the planes that have characters with a meaning, without surrogates. */
const assignedPlanes = [
  [0, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x3ffff],
  [0xe0000, 0xeffff],
] as const

/** The last two are for private use as a whole. */
const privatePlanes = [0xf0000, 0xffffd, 0x100000, 0x10fffd]

function rangesOf([first, last]: (typeof assignedPlanes)[number]): number[] {
  const unitsOfPoint = first > 0xffff ? 2 : 1
  const units = new Uint16Array((last - first + 1) * unitsOfPoint)
  for (let point = first; point <= last; point += 1) {
    const at = (point - first) * unitsOfPoint
    units[at] = unitsOfPoint === 1 ? point : 0xd7c0 + (point >> 10)
    if (unitsOfPoint === 2) units[at + 1] = 0xdc00 + (point & 0x3ff)
  }
  const runs = splitWords(Buffer.from(units.buffer).toString('utf16le'))
  return runs.flatMap((run) => [
    run.codePointAt(0) ?? 0,
    run.codePointAt(run.length - unitsOfPoint) ?? 0,
  ])
}

/** Removes words that say nothing about a story, unless nothing else is left. */
export function withoutStopWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !stopWords.has(word.toLowerCase()))
  return telling.length > 0 ? telling : words
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'a about after all also an and any are as at be because been before being but by can could did do does ' +
    'doing for from had has have having he her hers him his how i if in into is it its itself just ' +
    'll me more most my no not now of on only or other our out over own s so some such t than that ' +
    'the their them then there these they this those through to too up us ve very was we were what ' +
    'when where which while who whom whose why will with would you your'
  ).split(' '),
)
