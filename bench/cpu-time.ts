/** What a process has computed. */
import { readFileSync } from 'node:fs'

/** Milliseconds on the CPUs, of all its threads; Linux counts hundredths of a second. Undefined elsewhere. */
export function cpuMsOf({ pid }: { readonly pid: number }): number | undefined {
  return cpuMs(pid, 11)
}

/** The same of all processes that a process has started and that have ended, and of theirs. */
export function cpuMsOfEnded({ pid }: { readonly pid: number }): number | undefined {
  return cpuMs(pid, 13)
}

/** @param field the first of two, for the program and for the system, behind the program's name */
function cpuMs(pid: number, field: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[field]) + Number(fields[field + 1])) * 10
  } catch {
    return undefined
  }
}
