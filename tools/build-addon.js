/**
 * Builds the native addon into build/Release/synoptic.node: npm's `install` script. Node's headers come
 * from the package node-api-headers, so nothing is downloaded. One line on success; when a tool is
 * missing, one message that names the package to install.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const addon = join('build', 'Release', 'synoptic.node')
const needs = {
  cmake: [3, 20],
  // The first with the C++20 that the core uses.
  'g++': [11, 0],
  clang: [14, 0],
}

const missing = process.platform === 'win32' ? ['a POSIX system'] : missingTools()
if (missing.length > 0) fail(`Building Synoptic's native core needs ${missing.join(' and ')}.`)
build()
console.log(`synoptic: ${addon} is built`)

function build() {
  const cmakeJs = createRequire(import.meta.url).resolve('cmake-js/bin/cmake-js')
  const jobs = String(availableParallelism())
  const args = [cmakeJs, 'compile', '--directory', root, '--parallel', jobs, '--log-level', 'error']
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status === 0 && existsSync(join(root, addon))) return
  console.error(stdout ?? '', stderr ?? '', error?.message ?? '')
  console.error(`synoptic: ${addon} could not be built; the compiler's messages are above.`)
  process.exit(1)
}

function missingTools() {
  const compiler = process.env.CXX
    ? atLeast(process.env.CXX, [0])
    : atLeast('g++', needs['g++']) || atLeast('clang++', needs.clang)
  return [
    ...(atLeast('cmake', needs.cmake) ? [] : [`CMake ${needs.cmake.join('.')} or newer`]),
    ...(compiler ? [] : ['a C++20 compiler (g++ 11, Clang 14 or newer)']),
  ]
}

/** Whether `command --version` runs and says at least this version. */
function atLeast(command, [major, minor = 0]) {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  const found = /(\d+)\.(\d+)/.exec(stdout ?? '')
  if (status !== 0 || !found) return false
  const [foundMajor, foundMinor] = [Number(found[1]), Number(found[2])]
  return foundMajor > major || (foundMajor === major && foundMinor >= minor)
}

function fail(problem) {
  console.error(`${problem} Install them, then run \`npm install\` again:
  Debian, Ubuntu  apt-get install cmake g++
  Fedora          dnf install cmake gcc-c++
  macOS           xcode-select --install && brew install cmake
  Windows         wsl --install, then work inside it as on Ubuntu`)
  process.exit(1)
}
