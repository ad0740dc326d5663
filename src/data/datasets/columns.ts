/** The columns of a dataset, from those of its sources. */
import { DataImportError } from '../../base/errors/index.js'
import type { Input } from './input.js'

/** Names that differ only by a space would share a file of the embeddings store. */
export function joinColumns(inputs: readonly Input[]): readonly string[] {
  const fileNames = new Map<string, string>()
  for (const { file, mapping } of inputs) {
    for (const column of Object.keys(mapping.texts)) {
      const fileName = fileNameOf(column)
      const other = fileNames.get(fileName)
      if (other !== undefined) {
        const problem = `the column ${JSON.stringify(column)} is there already`
        throw new DataImportError(file, `${problem} as ${JSON.stringify(other)}`)
      }
      fileNames.set(fileName, column)
    }
  }
  return [...fileNames.values()]
}

export const fileNameOf = (column: string) => column.replaceAll(' ', '_').toLowerCase()

/** A source may have a column of that name, whose blanks are filled then. */
export function missingColumns(columns: readonly string[], { mapping }: Input): readonly string[] {
  const known = new Set(columns.map(fileNameOf))
  return Object.keys(mapping.texts).filter((column) => !known.has(fileNameOf(column)))
}
