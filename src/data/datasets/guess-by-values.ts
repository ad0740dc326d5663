/** Columns that are known by their values, where their names say nothing. */

type Row = Readonly<Record<string, unknown>>

/** Most values may be a title: not addresses, numbers or dates. */
export function looksLikeTitles(values: readonly string[]): boolean {
  const others = values.filter((value) => isAddress(value))
  return others.length * 2 <= values.length
}

/** The column whose short values are nearly all different and have letters; undefined if there is none. */
export function titleColumn(header: readonly string[], rows: readonly Row[]): string | undefined {
  return header.find((name) => {
    const values = textsOf(name, rows)
    if (values.length < Math.max(1, rows.length * 0.9)) return false
    const averageLength = values.reduce((sum, value) => sum + value.length, 0) / values.length
    const isDistinct = new Set(values).size >= values.length * 0.9
    return (
      isDistinct &&
      averageLength >= 2 &&
      averageLength <= 80 &&
      values.every((value) => !isAddress(value) && !isList(value)) &&
      values.filter((value) => /\p{L}/u.test(value)).length >= values.length * 0.8
    )
  })
}

/** The column whose values are all years of films and books. */
export function yearColumn(header: readonly string[], rows: readonly Row[]): string | undefined {
  return header.find((name) => {
    const values = textsOf(name, rows)
    return (
      values.length > 0 && values.every((value) => /^(?:19\d\d|20[0-4]\d)(?:\.0)?$/.test(value))
    )
  })
}

const isAddress = (value: string) =>
  /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value) || /^(?:https?:\/\/|www\.)\S+$/i.test(value)

const isList = (value: string) => /^\s*[[{]/.test(value) || value.split(/[,;|]/).length > 3

function textsOf(name: string, rows: readonly Row[]): readonly string[] {
  return rows.flatMap((row) => {
    const value = row[name]
    if (typeof value === 'number') return [String(value)]
    return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []
  })
}
