/** What separates the fields of a CSV file: a comma, a semicolon, a tab or a bar, as its header shows. */
import { parse } from 'csv-parse/sync'

const delimiters = [',', ';', '\t', '|'] as const

/**
 * Returns the delimiter with which the header has most of the names, or most fields where no name is given.
 * @param text the begin of the file
 */
export function delimiterOf(text: string, names: readonly string[] = []): string {
  const counts = delimiters.map((delimiter) => {
    const header = headerOf(text, delimiter)
    const known = names.filter((name) => header.includes(name)).length
    return names.length === 0 ? header.length : known
  })
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The names of the first record; none where it is not whole. */
function headerOf(text: string, delimiter: string): string[] {
  try {
    const options = { delimiter, to: 1, relax_quotes: true, skip_empty_lines: true }
    const [header = []]: string[][] = parse(text, options)
    return header.map((name) => name.trim())
  } catch {
    return []
  }
}
