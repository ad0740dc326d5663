/**
 * Like `Promise.all`, but settles only when both promises have settled, so no work is left running when it
 * rejects. Rejects with the error of the first promise where both fail.
 */
export async function allSettledOrThrow<A, B>(
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}
