import { constants, getPriority, setPriority } from 'node:os'

const steps = 10

/**
 * Lowers the calling thread's priority by ten steps, so the event loop runs first: it needs little time,
 * but needs it at once. Threads that this one starts inherit the priority. Does nothing off Linux, where
 * priorities belong to processes.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW))
}
