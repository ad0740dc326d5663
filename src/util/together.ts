/**
 * Like `Promise.all`, and settles only when both have: whoever is told of a failure finds nothing of
 * the work still under way. Rejects with the first one's error where both fail.
 */
export async function together<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}
