/**
 * process.nextTick makes an object of computed names for each callback. V8 learns the shape of what such a
 * literal makes once. A full garbage collection that finds no such object alive takes the shape with it, and
 * from then on V8's runtime makes every one, name by name, at three to five times the cost, until the process
 * ends (Runtime_DefineKeyedOwnPropertyInLiteral in Node 20 to 26). Each answer over HTTP takes several ticks.
 */
import { executionAsyncResource } from 'node:async_hooks'

const kept: object[] = []

/** Keeps one of these objects alive, and its shape with it; to be called before much garbage is made. */
export function keepTickShape(): void {
  process.nextTick(() => {
    kept.push(executionAsyncResource())
  })
}
