/** What a process has computed. */
import { readFileSync } from 'node:fs'

/** Milliseconds on the CPUs, of all its threads; Linux counts hundredths of a second. Undefined elsewhere. */
export function cpuMsOf({ pid }: { readonly pid: number }): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}
