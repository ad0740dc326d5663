/**
 * Builds the native addon into build/Release/synoptic.node: a part of `npm ci` in a clone, and of `synoptic compile`
 * where the program is an installed package. Node's headers come from the package node-api-headers, so nothing is
 * downloaded. One line on success; when a tool is missing, one message that names the package to install. With
 * `--unless-prebuilt` it builds nothing where the package brings an addon that loads here; SYNOPTIC_ADDON_URL names a
 * release whose addon a clone takes instead (tools/released-addon.js).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const addon = join('build', 'Release', 'synoptic.node')
/** What is needed, with the commands and versions that satisfy it: any one will do. */
const needs = [
  { name: 'Node 20.19 or newer', commands: { node: [20, 19] } },
  { name: 'CMake 3.20 or newer', commands: { cmake: [3, 20] } },
  ...(process.platform === 'win32'
    ? [] // cmake-js looks for Visual Studio, which is on no PATH, and says when there is none.
    : [
        { name: 'make or Ninja', commands: { make: [0], ninja: [0] } },
        {
          // The first with the C++20 that the core uses.
          name: 'a C++20 compiler (g++ 11, Clang 14 or newer)',
          commands: process.env.CXX ? { [process.env.CXX]: [0] } : { 'g++': [11], 'clang++': [14] },
        },
      ]),
]

if (process.argv.includes('--unless-prebuilt') && (await isPrebuilt())) process.exit(0)
if (await isReleased()) process.exit(0)
const missing = needs.map(missingOf).filter((problem) => problem !== undefined)
if (missing.length > 0) fail(missing)
build()
console.log(`synoptic: ${addon} is built`)

/** Loaded in a process of its own: a library for another machine may end it. */
async function isPrebuilt() {
  const built = join(root, 'dist', 'native', 'addon', 'prebuilt.js')
  // A clone has no such addons, nor dist before its first build.
  if (!existsSync(join(root, 'prebuilds')) || !existsSync(built)) return false
  const { prebuiltAddon } = await import(pathToFileURL(built))
  const file = prebuiltAddon(root)
  if (!existsSync(file)) {
    console.error(`synoptic: the package has no ${relative(root, file)}, so the addon is compiled`)
    return false
  }
  const { status, stderr } = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(file)})`])
  if (status !== 0) console.error(`synoptic: ${file} does not load; compiling it\n${stderr}`)
  return status === 0
}

async function isReleased() {
  const { SYNOPTIC_ADDON_URL: base } = process.env
  if (!base) return false
  try {
    const { fetchReleasedAddon } = await import('./released-addon.js')
    await fetchReleasedAddon(base, root, join(root, addon))
    console.log(`synoptic: ${addon} is fetched`)
    return true
  } catch (error) {
    const reason = `${error.message}${error.cause?.message ? ` (${error.cause.message})` : ''}`
    console.error(`synoptic: the addon of ${base} is not used: ${reason}; compiling it`)
    return false
  }
}

function build() {
  const cmakeJs = createRequire(import.meta.url).resolve('cmake-js/bin/cmake-js')
  const jobs = String(availableParallelism())
  // Without the tests, which `npm test` builds in the same folder.
  const options = ['--target', 'synoptic', '--parallel', jobs, '--log-level', 'error']
  const args = [cmakeJs, 'compile', '--directory', root, ...options]
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

/** What is missing and what was found instead; undefined where a command is new enough. */
function missingOf({ name, commands }) {
  const found = []
  for (const [command, [major, minor = 0]] of Object.entries(commands)) {
    const version = versionOf(command)
    if (version === undefined) continue
    if (version.major > major || (version.major === major && version.minor >= minor)) return
    found.push(`${command} ${version.major}.${version.minor}`)
  }
  const names = Object.keys(commands).join(' or ')
  return `${name}; found ${found.join(' and ') || `no ${names}`}`
}

/** Undefined where `command --version` does not run. The command may be several words, as CXX may. */
function versionOf(command) {
  const [program, ...args] = command.trim().split(/\s+/)
  const { status, stdout } = spawnSync(program, [...args, '--version'], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(stdout) ?? []
  return { major: Number(major), minor: Number(minor) }
}

function fail(missing) {
  const isPackage = /[\\/]node_modules[\\/]/.test(root)
  const again = isPackage ? 'synoptic compile' : 'npm ci'
  const other = isPackage
    ? ''
    : '\nOr take the addon of a release: SYNOPTIC_ADDON_URL=<address of its downloads> npm ci'
  console.error(`Synoptic needs
${missing.map((problem) => `  - ${problem}`).join('\n')}
Install what is missing, then run \`${again}\` again:
  Debian, Ubuntu  apt-get install cmake make g++
  Fedora          dnf install cmake make gcc-c++
  Alpine          apk add cmake make g++
  macOS           xcode-select --install && brew install cmake
  Windows         winget install Kitware.CMake, and Visual Studio 2022 with "Desktop development with C++"${other}`)
  process.exit(1)
}
