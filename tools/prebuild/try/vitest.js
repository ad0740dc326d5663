/**
 * Vitest for a Node of another platform, where its transformer has no binary or none that loads: its own runner and
 * matchers, and files that are JavaScript already.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  JestAsymmetricMatchers,
  JestChaiExpect,
} from '@vitest/expect'

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from '@vitest/runner'

chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

export const expect = Object.assign((value, message) => chai.expect(value, message), {
  ...chai.expect,
  ...globalThis[ASYMMETRIC_MATCHERS_OBJECT],
  poll: (value, { timeout = 1000 } = {}) => ({
    toEqual: (expected) => until(async () => expect(await value()).toEqual(expected), timeout),
  }),
})

async function until(check, timeoutMs) {
  for (const start = performance.now(); ;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() - start > timeoutMs) throw error
    }
    await delay(50)
  }
}
