import { constants, getPriority, setPriority } from 'node:os'

const steps = 10

/**
 * Lowers the calling thread's priority by ten steps: who computes gives way to the thread that answers
 * clients, which needs little and needs it at once. Threads that it starts inherit it. Only on Linux,
 * where priorities are of threads and not of processes.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW))
}
