/**
 * Verifies what is open, again and again: files may decay after they were checked at their opening. One check
 * is under way at a time, so that all of them together stay within one budget.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { VerifyOptions } from '../../native/addon/verify.js'

export interface Verifier {
  /**
   * Checks after a pause and then again after each, until the signal aborts.
   * @param onFault called once, with what the check rejects with; there are no checks after it
   */
  watch(check: Check, signal: AbortSignal, onFault: (error: unknown) => void): void
}

/** Returns the bytes that it read. */
type Check = (options: VerifyOptions) => Promise<number>

export interface VerifierOptions {
  readonly bytesPerSecond: number
  readonly pauseMs?: number
  readonly onRead?: (bytes: number) => void
}

/** Of one machine: 1.6 % of one core's time, and far below what memory and disks can deliver. */
export const verifiedBytesPerSecond = 32 * 2 ** 20

const usualPauseMs = 15 * 60_000

export function createVerifier(options: VerifierOptions): Verifier {
  const { bytesPerSecond, pauseMs = usualPauseMs, onRead = () => undefined } = options
  let turn: Promise<unknown> = Promise.resolve()

  async function run(check: Check, signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(pauseMs, undefined, { signal, ref: false })
      const checked = turn.then(() => {
        signal.throwIfAborted()
        return check({ bytesPerSecond, signal })
      })
      turn = checked.catch(() => undefined)
      onRead(await checked)
    }
  }

  return {
    watch(check, signal, onFault) {
      run(check, signal).catch((error: unknown) => {
        if (!signal.aborted) onFault(error)
      })
    },
  }
}
