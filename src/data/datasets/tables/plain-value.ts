/** Values of typed files, as a JSON document would have them. */

/** Dates become `2005-10-04` or a whole time, 64-bit integers numbers, bytes nothing; objects and lists stay. */
export function plainValue(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return dateText(value)
  if (value instanceof Uint8Array) return null
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, plainValue(inner)]),
    )
  return value
}

function dateText(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null
  const text = date.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text
}

/** The shortest decimal that is this float32: 5.05, not 5.050000190734863. */
export function shortestFloat32(value: number): number {
  if (!Number.isFinite(value) || Math.fround(value) !== value) return value
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}
