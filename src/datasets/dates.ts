/** Dates and years of sources, of which often only a part is known. */

/** The year in a number or a text such as `2005.0`, `4/10/2005` or `Fall 2005`, or null. */
export function parseYear(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const found = /(?<!\d)(?:1[89]|20|21)\d\d(?!\d)/.exec(String(value))
  return found === null ? null : Number(found[0])
}

/** As `2005`, `2005-10` or `2005-10-04`: as much as is known from the year on; null without one. */
export function parseDate(text: string, order: 'ymd' | 'dmy' | 'mdy' = 'ymd'): string | null {
  const parts = (text.trim().split(/[T ]/, 1)[0] ?? '').split(/[-/.]/)
  const at = (letter: string) => parts[parts.length === 1 ? 0 : order.indexOf(letter)]
  const year = numberIn(at('y'), 1800, 2199)
  if (year === null) return null
  const month = parts.length > 1 ? numberIn(at('m'), 1, 12) : null
  if (month === null) return String(year)
  const day = numberIn(at('d'), 1, 31)
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
