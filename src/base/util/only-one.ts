/** The result of a batch of one; throws it where it is an error. */
export function onlyOne<T>([result]: readonly (T | Error)[]): T {
  if (result instanceof Error) throw result
  if (result === undefined) throw new RangeError('expected one result')
  return result
}
