/** The version of glibc that a compiled file needs. */

/** Debian 10, RHEL 8 and Ubuntu 20.04 have it; Node 20 itself needs it. */
export const oldestGlibc = '2.28'

/**
 * The newest version whose symbols a file of ELF imports, of any processor: objdump knows its own alone.
 * @param {Buffer} file
 * @returns {[number, number]} 0.0 where it imports none
 */
export function newestGlibc(file) {
  let newest = [0, 0]
  for (const [, major, minor] of file.toString('latin1').matchAll(/\0GLIBC_(\d+)\.(\d+)/g)) {
    const found = [Number(major), Number(minor)]
    if (found[0] > newest[0] || (found[0] === newest[0] && found[1] > newest[1])) newest = found
  }
  return newest
}
