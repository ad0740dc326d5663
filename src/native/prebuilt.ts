/** The addon as a package brings it, compiled for several platforms: prebuilds/<platform>-<processor>[-musl]/synoptic.node. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the addon for this process would be in a package. Whether it is there is for the caller to see. */
export function prebuiltAddon(packageRoot: string): string {
  return join(packageRoot, 'prebuilds', platformName(), 'synoptic.node')
}

/** `linux-x64`, `linux-arm64-musl`, `darwin-arm64`, `win32-x64`: what binds a compiled addon. */
function platformName(): string {
  return `${process.platform}-${process.arch}${usesMusl() ? '-musl' : ''}`
}

/**
 * A machine may have both C libraries; what counts is which one this process runs on. Musl's is one file, its loader
 * too: /lib/ld-musl-x86_64.so.1 on Alpine, libc.so on Debian and Void; glibc's is never called that.
 */
function usesMusl(): boolean {
  if (process.platform !== 'linux') return false
  try {
    return /\/(?:ld-musl-\S+|libc\.musl-\S+|libc\.so)$/m.test(
      readFileSync('/proc/self/maps', 'latin1'),
    )
  } catch {
    return false
  }
}
