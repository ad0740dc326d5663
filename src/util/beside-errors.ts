/** Work on many things of which some have failed already. */

/** The results of those that have not failed, in their places beside the errors of the others. */
export function besideErrors<R>(
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
