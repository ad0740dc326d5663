/** The first work of each series. */
import type { TitleIndex } from '../titles/title-index.js'
import type { Series } from './franchises.js'

/**
 * The row that each row continues, -1 of a row that continues none. In a franchise with one main work
 * all others continue that; in others, and where no franchise is known, titles decide.
 */
export function continuedRows(
  { franchises, isMain }: Series,
  titles: Pick<TitleIndex, 'continued'>,
): Int32Array {
  const continued = new Int32Array(franchises.length).fill(-1)
  const mains = onlyMains(franchises, isMain)
  franchises.forEach((franchise, row) => {
    const main = mains.get(franchise)
    if (main !== undefined && main !== row) continued[row] = main
  })
  const byTitle = titles.continued((row) => {
    const franchise = franchises[row] ?? -1
    return mains.has(franchise) ? undefined : franchise
  })
  for (const [row, first] of byTitle) continued[row] = first
  return continued
}

/** By franchise, where it has just one main work. */
function onlyMains(franchises: Int32Array, isMain: Uint8Array): ReadonlyMap<number, number> {
  const mains = new Map<number, number>()
  const unclear = new Set<number>()
  franchises.forEach((franchise, row) => {
    if (franchise < 0 || isMain[row] !== 1) return
    if (mains.has(franchise)) unclear.add(franchise)
    else mains.set(franchise, row)
  })
  for (const franchise of unclear) mains.delete(franchise)
  return mains
}
