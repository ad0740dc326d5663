/** Dates and years of sources, which are often partly known. */

/** The year in a number or a text such as `2005.0`, `4/10/2005` or `Fall 2005`, or null. */
export function parseYear(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const found = /(?<!\d)(?:1[89]|20|21)\d\d(?!\d)/.exec(String(value))
  return found === null ? null : Number(found[0])
}

/** As `2005`, `2005-10` or `2005-10-04`: as much as is known from the year on; null without one. */
export function parseDate(text: string, order: 'ymd' | 'dmy' | 'mdy' = 'ymd'): string | null {
  const date = text.trim().split(/[T ]/, 1)[0] ?? ''
  const parts = /^\d+\.0+$/.test(date) ? [date.split('.', 1)[0]] : date.split(/[-/.]/)
  // Fewer parts lack the day first, and then the month.
  const letters = Array.from(order).filter((letter) => 'ymd'.indexOf(letter) < parts.length)
  const year = numberIn(parts[letters.indexOf('y')], 1800, 2199)
  const month = numberIn(parts[letters.indexOf('m')], 1, 12)
  const day = numberIn(parts[letters.indexOf('d')], 1, 31)
  if (year === null || parts.length > 3) return null
  if (month === null) return String(year)
  return [year, month, day].flatMap((part) => (part === null ? [] : pad(part))).join('-')
}

function numberIn(text: string | undefined, low: number, high: number): number | null {
  if (text === undefined || !/^\d+$/.test(text)) return null
  const number = Number(text)
  return number >= low && number <= high ? number : null
}

function pad(part: number): string {
  return String(part).padStart(2, '0')
}
