/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one word into another (optimal
 * string alignment), given up beyond a bound. Only the band around the diagonal is filled.
 */

/** Of words of at most `maxUnits` units; a distance above `max` is returned as `max + 1`. */
export function editDistance(
  one: Uint16Array,
  oneLength: number,
  other: Uint16Array,
  otherLength: number,
  max: number,
): number {
  let start = 0
  let oneEnd = oneLength
  let otherEnd = otherLength
  if (Math.abs(oneEnd - otherEnd) > max) return max + 1
  while (start < oneEnd && start < otherEnd && one[start] === other[start]) start += 1
  while (oneEnd > start && otherEnd > start && one[oneEnd - 1] === other[otherEnd - 1]) {
    oneEnd -= 1
    otherEnd -= 1
  }
  const oneRest = oneEnd - start
  const otherRest = otherEnd - start
  if (oneRest === 0 || otherRest === 0) return Math.max(oneRest, otherRest)
  return max === 0 ? 1 : fillBand(one, other, start, oneRest, otherRest, max)
}

/** What the rows below have room for. */
export const maxUnits = 255

let beforePrevious = new Uint16Array(maxUnits + 3)
let previous = new Uint16Array(maxUnits + 3)
let current = new Uint16Array(maxUnits + 3)

function fillBand(
  one: Uint16Array,
  other: Uint16Array,
  start: number,
  rows: number,
  columns: number,
  max: number,
): number {
  const beyond = max + 1
  for (let column = 0; column <= columns + 1; column += 1) {
    previous[column] = Math.min(column, beyond)
  }
  let lowestBefore = 0
  for (let row = 1; row <= rows; row += 1) {
    const from = Math.max(1, row - max)
    const to = Math.min(columns, row + max)
    current[from - 1] = from === 1 ? Math.min(row, beyond) : beyond
    let lowest = current[from - 1] ?? beyond
    const unit = one[start + row - 1]
    for (let column = from; column <= to; column += 1) {
      const isSame = unit === other[start + column - 1]
      let edits = (previous[column - 1] ?? 0) + (isSame ? 0 : 1)
      edits = Math.min(edits, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      if (row > 1 && column > 1 && isSwap(one, other, start + row, start + column)) {
        edits = Math.min(edits, (beforePrevious[column - 2] ?? 0) + 1)
      }
      edits = Math.min(edits, beyond)
      current[column] = edits
      if (edits < lowest) lowest = edits
    }
    // The next row reads one column further.
    current[to + 1] = beyond
    // A swap skips a row, so the row before must be beyond hope as well.
    if (lowest > max && lowestBefore >= max) return beyond
    lowestBefore = lowest
    const free = beforePrevious
    beforePrevious = previous
    previous = current
    current = free
  }
  return previous[columns] ?? beyond
}

function isSwap(one: Uint16Array, other: Uint16Array, oneEnd: number, otherEnd: number): boolean {
  return one[oneEnd - 1] === other[otherEnd - 2] && one[oneEnd - 2] === other[otherEnd - 1]
}

const oneUnits = new Uint16Array(maxUnits)
const otherUnits = new Uint16Array(maxUnits)

/** Of two texts; only the first `maxUnits` units count. */
export function textDistance(one: string, other: string, max: number): number {
  return editDistance(
    oneUnits,
    readUnits(one, oneUnits),
    otherUnits,
    readUnits(other, otherUnits),
    max,
  )
}

/** Returns how many units were read. */
export function readUnits(text: string, units: Uint16Array): number {
  const length = Math.min(text.length, maxUnits)
  for (let position = 0; position < length; position += 1) {
    units[position] = text.charCodeAt(position)
  }
  return length
}
