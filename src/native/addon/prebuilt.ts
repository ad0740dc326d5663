/** The addon as a package brings it, compiled for several platforms: prebuilds/<platform>-<processor>[-musl]/synoptic.node. */
import { join } from 'node:path'
import { usesMusl } from '../../base/util/c-library.js'

/** Where the addon for this process would be in a package. Whether it is there is for the caller to see. */
export function prebuiltAddon(packageRoot: string): string {
  return join(packageRoot, 'prebuilds', platformName(), 'synoptic.node')
}

/** `linux-x64`, `linux-arm64-musl`, `darwin-arm64`, `win32-x64`: what binds a compiled addon. */
function platformName(): string {
  return `${process.platform}-${process.arch}${usesMusl() ? '-musl' : ''}`
}
