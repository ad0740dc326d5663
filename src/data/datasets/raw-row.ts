/** One row of a source, by field name; undefined where the row has no such field. */
export type RawRow = (name: string) => unknown
