/** Libraries of the system in this process: Node loads addons alone, so this goes by its loader of addons. */
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename } from 'node:path'

/** RTLD_NODELETE of Linux: Node closes what turns out to be no addon, which then stays. */
const keep = 0x1000

/**
 * Loads a library for good. From then on the loader uses it for every library that needs its name.
 * @param library a path, or a name that the loader looks for
 * @returns what the loader said where it could not
 */
export function loadLibrary(library: string): string | undefined {
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_LAZY | keep)
  } catch (error) {
    const { message } = error as Error
    return message.includes('did not self-register') ? undefined : message
  }
  return undefined
}

/** The file of a library of this process; `libcublas.so.12` may lie in libcublas.so.12.9. Undefined on systems other than Linux. */
export function loadedFrom(name: string): string | undefined {
  const lines = readFileSync('/proc/self/maps', 'latin1').split('\n')
  const paths = lines.map((line) => line.slice(line.indexOf('/')))
  return paths.find((path) => `${basename(path)}.`.startsWith(`${name}.`))
}
