/**
 * Part of `npm ci` in a clone, and of `synoptic compile`: sees to a better-sqlite3 that loads. The one of package.json brings its library
 * compiled, so mostly there is nothing to do; where that does not load (an old C library), it is compiled. It needs
 * Node-API 10: for an older Node npm leaves it out, and what tools/node20 locks is installed there, which fetches a
 * library or compiles one. Node's headers are those of the running Node, where there are any.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const isOld = Number(process.versions.napi) < 10
const project = isOld ? join(root, 'tools', 'node20') : root
const distribution = dirname(dirname(realpathSync(process.execPath)))
const nodeHeaders = join(distribution, 'include')

if (!loads()) {
  const complaints = isOld ? npm(['ci'], project) : npm(['run', 'build-release'], sqliteFolder())
  if (!loads()) {
    console.error(complaints)
    console.error(
      `better-sqlite3 could be neither fetched nor compiled. Compiling needs Python 3, make and a C++
compiler (Debian and Ubuntu: apt install python3 make g++), and Node's headers, which are fetched
where this Node has none in ${nodeHeaders}.`,
    )
    process.exitCode = 1
  }
}

/** In a process of its own: a library for another machine may end it. */
function loads() {
  const folder = sqliteFolder()
  if (folder === undefined) return false
  const script = "new (require('better-sqlite3'))(':memory:').close()"
  return spawnSync(process.execPath, ['-e', script], { cwd: folder }).status === 0
}

/** Undefined where it is not installed. */
function sqliteFolder() {
  const { paths } = createRequire(join(project, 'package.json')).resolve
  const folders = (paths('better-sqlite3') ?? []).map((modules) => join(modules, 'better-sqlite3'))
  return folders.find((folder) => existsSync(folder))
}

/** What it said. The npm that runs this script sets variables for its own project and options; they are left out here. */
function npm(words, cwd = project) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package_|config_(global|location|allow_scripts|omit|include|dry_run|prefix)$)/i.test(
          name,
        ),
    ),
  )
  if (existsSync(join(nodeHeaders, 'node', 'node_version.h'))) env.npm_config_nodedir = distribution
  const { npm_execpath: program } = process.env
  const [command, ...first] = program ? [process.execPath, program] : ['npm']
  const { stdout, stderr, error } = spawnSync(command, [...first, ...words], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: !program && process.platform === 'win32',
  })
  return error?.message ?? `${stdout}${stderr}`
}
