/**
 * Like `Promise.all`, but settles only when all promises have settled, so no work is left running when it
 * rejects. Rejects with the error of the first promise of those that fail.
 */
export async function allSettledOrThrow<T extends readonly Promise<unknown>[]>(
  ...promises: T
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
