/** Work on many things that each take the JavaScript thread for a while. */
import { yieldToEventLoop } from './yield-to-event-loop.js'

/**
 * Lets the event loop look at its sockets between two of them.
 * @param request what yieldToEventLoop takes
 */
export async function inTurns<T, R>(
  items: readonly T[],
  task: (item: T, i: number) => R | Promise<R>,
  request?: object,
): Promise<readonly R[]> {
  const done: R[] = []
  for (const [i, item] of items.entries()) {
    if (i > 0) await yieldToEventLoop(request)
    done.push(await task(item, i))
  }
  return done
}
