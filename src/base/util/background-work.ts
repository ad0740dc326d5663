/** What a program of `runInBackground` does first. */
import { constants, setPriority } from 'node:os'

/**
 * Reads the work, and returns a signal for the end of the server. Call it before the addon starts its threads.
 * @param priority of the process; the default leaves the processors to searches
 */
export function beginBackgroundWork(priority: number = constants.priority.PRIORITY_BELOW_NORMAL): {
  work: unknown
  signal: AbortSignal
} {
  setPriority(priority)
  process.env.SYNOPTIC_SCAN_THREADS = '1'
  const stop = new AbortController()
  // Temporary files go with it. The server may have ended while this process loaded.
  const end = () => stop.abort(new Error('the server has ended'))
  process.on('disconnect', end)
  if (process.send !== undefined && !process.connected) end()
  // A terminal sends it to all processes; the parent decides.
  process.on('SIGINT', () => undefined)
  process.on('SIGHUP', () => undefined)
  // Node would open its inspector, by which anybody on the machine could run code.
  process.on('SIGUSR1', () => undefined)
  return { work: JSON.parse(process.argv[2] ?? '') as unknown, signal: stop.signal }
}

/** Sends the error to the server, unless its end is the cause. */
export function reportProblem(error: unknown, signal: AbortSignal): void {
  if (signal.aborted) return
  process.send?.({ problem: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}

/** Lets the process end. */
export function endBackgroundWork(): void {
  if (process.connected) process.disconnect()
}
