/**
 * `npm run prebuild [PLATFORM…]`: compiles the addon for the platforms of a package, on one machine, into
 * prebuilds/<platform>/synoptic.node, with their hashes in prebuilds/SHA256SUMS. The compiler is Zig's clang
 * (`pip install ziglang`), which has the C library of each target with it; CMake stays the build.
 * SYNOPTIC_ZIG names the program, where it is neither on the PATH nor in Python's packages.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newestGlibc, oldestGlibc } from './glibc.js'
import { oldestMac, problemsOfMachO } from './mach-o.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Targets as Zig writes them. */
const targets = {
  'linux-x64': `x86_64-linux-gnu.${oldestGlibc}`,
  'linux-arm64': `aarch64-linux-gnu.${oldestGlibc}`,
  'linux-x64-musl': 'x86_64-linux-musl',
  'linux-arm64-musl': 'aarch64-linux-musl',
  'win32-x64': 'x86_64-windows-gnu',
  'darwin-arm64': `aarch64-macos.${oldestMac}`,
  'darwin-x64': `x86_64-macos.${oldestMac}`,
}

const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(targets, name))
if (unknown.length > 0) fail(`expected ${Object.keys(targets).join(', ')}; received ${unknown}`)
const zig = findZig()
const headers = dirname(createRequire(import.meta.url).resolve('node-api-headers/package.json'))
for (const name of named.length > 0 ? named : Object.keys(targets)) build(name)
writeHashes()

function build(name) {
  const folder = join(root, 'build-prebuild', name)
  const nodeLibrary = join(folder, 'node.lib')
  const settings = {
    CMAKE_TOOLCHAIN_FILE: join(root, 'tools', 'prebuild', 'zig.cmake'),
    CMAKE_BUILD_TYPE: 'Release',
    // Without symbols for debuggers, which are most of a file.
    CMAKE_SHARED_LINKER_FLAGS: '-s',
    SYNOPTIC_ZIG: zig,
    SYNOPTIC_TARGET: targets[name],
    SYNOPTIC_CUDA: 'OFF',
    CMAKE_JS_INC: join(headers, 'include'),
    // Otherwise the file has the folder of its build in it.
    ...(name.startsWith('darwin') && {
      CMAKE_BUILD_WITH_INSTALL_NAME_DIR: 'ON',
      CMAKE_INSTALL_NAME_DIR: '@rpath',
    }),
    ...(name.startsWith('win32') && {
      CMAKE_JS_NODELIB_DEF: join(headers, 'def', 'node_api.def'),
      CMAKE_JS_NODELIB_TARGET: nodeLibrary,
      CMAKE_JS_LIB: nodeLibrary,
    }),
  }
  const ninja = spawnSync('ninja', ['--version']).status === 0 ? ['-G', 'Ninja'] : []
  const definitions = Object.entries(settings).map(([key, value]) => `-D${key}=${value}`)
  run('cmake', ['-S', root, '-B', folder, ...ninja, ...definitions])
  run('cmake', ['--build', folder, '--target', 'synoptic', '--parallel'])
  const addon = join(folder, 'synoptic.node')
  if (name.startsWith('linux')) requireOldGlibc(name, addon)
  if (name.startsWith('darwin')) requireOldMac(name, addon)
  mkdirSync(join(root, 'prebuilds', name), { recursive: true })
  copyFileSync(addon, join(root, 'prebuilds', name, 'synoptic.node'))
}

/** The names that a file has for the versions of its C library say how new that one has to be. */
function requireOldGlibc(name, addon) {
  const [major, minor] = newestGlibc(readFileSync(addon))
  const [oldMajor, oldMinor] = name.endsWith('-musl') ? [0, 0] : oldestGlibc.split('.').map(Number)
  if (major > oldMajor || (major === oldMajor && minor > oldMinor))
    fail(`${name} needs glibc ${major}.${minor}; expected ${oldMajor}.${oldMinor} at most`)
}

function requireOldMac(name, addon) {
  const problems = problemsOfMachO(readFileSync(addon), name.split('-')[1])
  if (problems.length > 0) fail(`${name} ${problems.join('; ')}`)
}

/** Of all that are there, as `sha256sum --check` reads them. */
function writeHashes() {
  const folder = join(root, 'prebuilds')
  const names = Object.keys(targets).map((name) => `${name}/synoptic.node`)
  const lines = names
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return `${hash}  ${name}\n`
    })
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  process.stdout.write(lines.join(''))
}

function findZig() {
  const script = 'import os, ziglang; print(os.path.dirname(ziglang.__file__))'
  const packages = spawnSync('python3', ['-c', script], { encoding: 'utf8' }).stdout?.trim()
  const places = [process.env.SYNOPTIC_ZIG, packages && join(packages, 'zig'), 'zig']
  const found = places.find((place) => place && spawnSync(place, ['version']).status === 0)
  return found ?? fail('Zig is missing: `pip install ziglang`, or name the program in SYNOPTIC_ZIG')
}

function run(command, words) {
  const { status, error } = spawnSync(command, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) fail(`${command} ${words[0]} failed${error ? `: ${error.message}` : ''}`)
}

function fail(message) {
  console.error(`prebuild: ${message}`)
  process.exit(1)
}
