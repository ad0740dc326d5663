/**
 * Builds better-sqlite3 as its own install script would (a prebuilt one if it can be fetched, else
 * compiled), but compiles against the headers beside the running Node where there are any: node-gyp
 * alone would download them, and an install behind a closed network would fail for nothing.
 * package.json leaves its own script out (allowScripts); an npm that runs it all the same has built
 * it already, and nothing is left to do here.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('better-sqlite3/package.json'))
const complaints = []

if (!loads() && !run('prebuild-install', []) && !compile()) {
  console.error(complaints.join('\n'))
  console.error(
    `better-sqlite3 could be neither fetched nor compiled. Compiling needs Python 3, make and a C++
compiler (Debian and Ubuntu: apt install python3 make g++), and Node's headers, which are fetched
where this Node has none in ${join(distribution(), 'include')}.`,
  )
  process.exitCode = 1
}

function loads() {
  const script = "new (require('better-sqlite3'))(':memory:').close()"
  return spawnSync(process.execPath, ['-e', script], { cwd: folder }).status === 0
}

function compile() {
  const headers = existsSync(join(distribution(), 'include/node/node_version.h'))
  const nodedir = headers ? [`--nodedir=${distribution()}`] : []
  const { CXXFLAGS = '' } = process.env
  // Node 24's own would end the process; see there.
  const ahead = fileURLToPath(new URL('without-cleanup-hooks.h', import.meta.url))
  const flags = { CXXFLAGS: `${CXXFLAGS} -include "${ahead}"` }
  return run('node-gyp', ['rebuild', '--release', ...nodedir], flags)
}

function distribution() {
  return dirname(dirname(realpathSync(process.execPath)))
}

/** Both commands are on the PATH that npm gives to scripts; what they say matters if both fail. */
function run(command, args, variables = {}) {
  const { status, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    env: { ...process.env, ...variables },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
  })
  if (status !== 0) complaints.push(stderr ?? error.message)
  return status === 0
}
