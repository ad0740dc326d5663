/** The columns of an index that hold synopses. Remembered texts are short and of a style that some encoders take for content. */
import { textKind } from '../../data/catalogue/text-kinds.js'
import type { SearchOptions, VectorIndex } from '../../native/addon/vector-index.js'

/** All columns where there is no synopsis. */
export function synopsesOf({
  columns,
}: Pick<VectorIndex, 'columns'>): Pick<SearchOptions, 'columns'> {
  const positions = [...columns.keys()].filter((at) => textKind(columns[at] ?? '') === 'synopsis')
  return positions.length === 0 ? {} : { columns: positions }
}
