/** Shared libraries of Linux without content, made by the compiler: what a loader sees of them is real. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const compiler = process.env.CXX ?? 'g++'

export const canMakeLibraries =
  process.platform === 'linux' && spawnSync(compiler, ['--version']).status === 0

/** @param needs names of libraries of the same folder */
export function makeLibrary(folder: string, name: string, needs: readonly string[] = []): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  const words = [
    '-shared',
    '-nostdlib',
    '-x',
    'c++',
    '/dev/null',
    '-o',
    file,
    `-Wl,-soname,${name}`,
  ]
  const others = needs.map((need) => join(folder, need))
  const { status, stderr } = spawnSync(
    compiler,
    [...words, '-x', 'none', '-Wl,--no-as-needed', ...others],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  return file
}

/** Its bytes, where the library itself is not wanted. */
export const libraryBytes = (folder: string, name: string): Buffer =>
  readFileSync(makeLibrary(folder, name))
