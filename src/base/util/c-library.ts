/** Which C library this process runs on: what binds a compiled library of Linux. */
import { readFileSync } from 'node:fs'

/**
 * A machine may have both; what counts is which one this process runs on. Musl's is one file, its loader too:
 * /lib/ld-musl-x86_64.so.1 on Alpine, libc.so on Debian and Void; glibc's is never called that.
 */
export function usesMusl(): boolean {
  if (process.platform !== 'linux') return false
  try {
    const maps = readFileSync('/proc/self/maps', 'latin1')
    return /\/(?:ld-musl-\S+|libc\.musl-\S+|libc\.so)$/m.test(maps)
  } catch {
    return false
  }
}
