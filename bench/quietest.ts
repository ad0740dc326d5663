/**
 * A virtual machine has its processors taken away at times, for up to half a second, and whatever is timed
 * meanwhile says nothing of the program. Linux counts that time (`steal` in /proc/stat): what was
 * measured while the host took more than a little is measured again, and the quietest counts. So it is
 * the host that decides which figures stand, and never the figures.
 */
import { readFileSync } from 'node:fs'

export interface Quietest<T> {
  readonly value: T
  /** Share of the time of all processors that the host took, 0 to 1; NaN where the system does not tell. */
  readonly stolen: number
}

/** Linux counts in hundredths of a second: of 5 s on two processors, none. */
const littleShare = 0.0005
/** Short measurements that are repeated find a quiet time sooner than long ones. */
const attempts = 20

/** Measures once where the machine is quiet, or its own. */
export async function quietest<T>(measure: () => Promise<T>): Promise<Quietest<T>> {
  let best: Quietest<T> | undefined
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const before = readTicks()
    const value = await measure()
    const after = readTicks()
    const stolen = (after.stolen - before.stolen) / (after.all - before.all)
    if (best === undefined || stolen < best.stolen) best = { value, stolen }
    if (Number.isNaN(stolen) || stolen <= littleShare) break
  }
  if (best === undefined) throw new Error('nothing was measured')
  return best
}

/** The share as a column of a table. */
export const describeStolen = (share: number): string =>
  Number.isNaN(share) ? '-' : `${(share * 100).toFixed(2)}%`

function readTicks(): { readonly stolen: number; readonly all: number } {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    // cpu user nice system idle iowait irq softirq steal, and guests, who are in user already
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
    return { stolen: ticks[7] ?? NaN, all: ticks.reduce((sum, count) => sum + count, 0) }
  } catch {
    return { stolen: NaN, all: NaN }
  }
}
