/** Results for a list that holds some failures already. */

/** Returns `things` in their order, with the next of `results` for each that is not an Error. */
export function withErrors<R>(
  things: readonly unknown[],
  results: readonly R[],
): readonly (R | Error)[] {
  let taken = 0
  return things.map((thing) => {
    if (thing instanceof Error) return thing
    if (taken === results.length) throw new RangeError('expected a result for each')
    return results[taken++] as R
  })
}
