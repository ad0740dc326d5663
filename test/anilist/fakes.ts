/** Time that passes only when somebody sleeps, and a log that keeps every word. */
import { inspect } from 'node:util'
import type { Clock } from '#synoptic/base/util/clock.js'
import type { Logger } from '#synoptic/data/anilist/logger.js'

export interface FakeClock extends Clock {
  /** Every requested sleep, in milliseconds. */
  readonly sleeps: number[]
  advance(milliseconds: number): void
}

export const startOfTime = 1_700_000_000_000

export function createFakeClock(): FakeClock {
  let now = startOfTime
  const sleeps: number[] = []
  return {
    sleeps,
    now: () => now,
    advance: (milliseconds) => (now += milliseconds),
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      sleeps.push(milliseconds)
      now += milliseconds
      await Promise.resolve()
    },
  }
}

export interface RecordedLog extends Logger {
  readonly entries: { readonly level: string; readonly fields: object; readonly message: string }[]
  /** Messages of a level. */
  messages(level: string): string[]
  /** All that was logged, fields and nested errors included. */
  text(): string
}

export function createRecordedLog(): RecordedLog {
  const entries: { level: string; fields: object; message: string }[] = []
  const record = (level: string) => (fields: object, message: string) =>
    void entries.push({ level, fields, message })
  return {
    entries,
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    messages: (level) => entries.filter((e) => e.level === level).map((e) => e.message),
    text: () => inspect(entries, { depth: null, showHidden: true }),
  }
}
