/** The first work of each series, by franchises where they are known, else by titles. */
import type { DatasetFacts } from '../facts/dataset-facts.js'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.js'
import type { TitleIndex } from '../titles/title-index.js'

export type ContinuedServices = Pick<DatasetFacts, 'rowCount' | 'franchises' | 'isMain'>

/**
 * The row that each row continues, -1 where it continues none. In a franchise with one main work
 * all others continue that; in others, and where no franchise is known, titles decide.
 */
export async function findContinued(
  { rowCount, franchises, isMain }: ContinuedServices,
  titles: Pick<TitleIndex, 'continued'>,
): Promise<Int32Array> {
  const continued = new Int32Array(rowCount).fill(-1)
  const mains = mainsOf(franchises, isMain)
  for (let row = 0; row < rowCount; row += 1) {
    const main = mains.get(franchises[row] ?? -1)
    if (main !== undefined && main !== row) continued[row] = main
  }
  const byTitle = await titles.continued({
    seriesOf(row) {
      const franchise = franchises[row] ?? -1
      return mains.has(franchise) ? undefined : franchise
    },
    pause: yieldToEventLoop,
  })
  for (const [row, first] of byTitle) continued[row] = first
  return continued
}

/** By franchise, where just one row is the main work. */
function mainsOf(franchises: Int32Array, isMain: Uint8Array): ReadonlyMap<number, number> {
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
