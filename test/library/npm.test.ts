/**
 * The packages as a user has them: npm installs, upgrades and removes them; npx starts them from a file. By day
 * installed.test.ts uses the packed files without npm.
 * @module-tag nightly
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extract } from 'tar'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { prebuiltAddon } from '#synoptic/native/addon/prebuilt.js'
import { packPackages } from '../helpers/installed-package.js'
import { packFolder, startRegistry } from '../helpers/loopback-registry.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-npm-'))
const at = (...names: string[]) => join(scratch, ...names)
/** Of `npm install --global`. */
const prefix = at('prefix')
const isWindows = process.platform === 'win32'
const programs = isWindows ? prefix : join(prefix, 'bin')
const modules = isWindows ? join(prefix, 'node_modules') : join(prefix, 'lib', 'node_modules')
const data = at('home', 'synoptic', 'data', 'catalogue.sqlite')
const packed = { old: '', new: '', native: '' }
let version = ''

let registry: Awaited<ReturnType<typeof startRegistry>>
let server: ChildProcess | undefined
/** Without the variables that the npm of the tests sets for its scripts. */
const env = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  // As without the setting of the tests: a server builds the embeddings that it lacks.
  SYNOPTIC_SEARCH_ENCODER: 'auto',
  HOME: at('home'),
  XDG_DATA_HOME: at('home'),
  LOCALAPPDATA: at('home'),
  npm_config_cache: at('cache'),
  npm_config_registry: registry.url,
  PATH: `${programs}${isWindows ? ';' : ':'}${process.env.PATH}`,
})

/** Not synchronously: the registry is in this process. */
async function call(program: string, ...words: string[]) {
  const child = spawn(program, words, { cwd: at('empty'), env: env(), shell: isWindows })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, stdout, stderr }
}
const install = async (...files: string[]) => {
  const result = await call('npm', 'install', '--global', '--prefix', prefix, ...files)
  linkSqlite(join(modules, 'synoptic'))
  return result
}
/** What `synoptic compile` puts there for Node 20. */
function linkSqlite(root: string): void {
  const forNode20 = join('tools', 'node20', 'node_modules')
  const isThere = existsSync(join(project, forNode20)) && existsSync(root)
  if (isThere) symlinkSync(join(project, forNode20), join(root, forNode20), 'junction')
}

/** As a terminal does: npx passes no signal on. */
function stop(child: ChildProcess, signal: NodeJS.Signals): void {
  if (isWindows) child.kill(signal)
  else process.kill(-Number(child.pid), signal)
}

/** Starts a server, queries it, and stops it; resolves to its output. */
async function serve([program = '', ...words]: string[], ...flags: string[]): Promise<string> {
  const all = [...words, 'serve', '--port', '0', '--workers', '1', ...flags]
  const child = spawn(program, all, {
    cwd: at('empty'),
    env: env(),
    shell: isWindows,
    detached: !isWindows,
  })
  server = child
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  await expect.poll(() => output, { timeout: 170_000 }).toMatch(/ready at \S+\n/)
  const [, origin = ''] = /ready at (\S+)\n/.exec(output) ?? []
  // A folder without embeddings is searched once they are built.
  const readiness = () => fetch(`${origin}/readyz`).then(({ status }) => status)
  await expect.poll(readiness, { timeout: 170_000 }).toBe(200)
  const response = await fetch(`${origin}/search/anime`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'two brothers and alchemy' }),
  })
  expect(response.status).toBe(200)
  stop(child, 'SIGTERM')
  await once(child, 'close')
  return output
}

describe('packages', () => {
  beforeAll(async () => {
    const { program, native, model } = packPackages(scratch)
    const folder = at('unpacked')
    mkdirSync(folder)
    await extract({ file: program, cwd: folder, strip: 1 })
    const own = join(project, 'build', 'Release', 'synoptic.node')
    if (existsSync(own)) {
      mkdirSync(dirname(prebuiltAddon(folder)), { recursive: true })
      cpSync(own, prebuiltAddon(folder))
    }
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    ;({ version } = manifest)
    packed.native = native
    packed.old = at('old.tgz')
    writeFileSync(packed.old, packFolder(folder))
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ ...manifest, version: `${version}-next` }),
    )
    packed.new = at('new.tgz')
    writeFileSync(packed.new, packFolder(folder))
    registry = await startRegistry([packed.old, packed.native, model])
    mkdirSync(at('empty'))
  }, 600_000)
  afterEach(() => {
    if (server?.exitCode === null) stop(server, 'SIGKILL')
  })
  afterAll(() => {
    registry.close()
    rmSync(scratch, { recursive: true })
  })

  describe('npm', () => {
    it('installs without a warning, a script, or a library of another platform', async () => {
      const { status, stdout, stderr } = await install(packed.old, packed.native)
      const others = /^npm (warn|error) (?!EBADENGINE|Unknown (env|user) config|deprecated)/m
      expect({ status, warnings: others.exec(stderr) }).toEqual({ status: 0, warnings: null })
      expect(`${stdout}${stderr}`).not.toMatch(/script|deprecated|onnxruntime/)
      const natives = readdirSync(join(modules, '@synoptic'))
      expect(natives).toEqual([`native-${process.platform}-${process.arch}`])
      const names = readdirSync(modules, { recursive: true, encoding: 'utf8' })
      expect(names.filter((name) => name.includes('onnxruntime_binding.node'))).toHaveLength(1)
      expect(names.filter((name) => /tokenizers\..*\.node$/.test(name))).toHaveLength(1)
      expect(names.filter((name) => name.endsWith('LICENSE')).length).toBeGreaterThan(50)
      expect((await call('synoptic', '--version')).stdout).toBe(`${version}\n`)
    }, 600_000)

    it('leaves a command that serves from an empty folder, and compiles nothing that is there', async () => {
      expect(await serve(['synoptic'])).toContain('first start')
      expect(existsSync(data)).toBe(true)
      expect(readdirSync(at('empty'))).toEqual([])
      const { status, stderr } = await call('synoptic', 'compile')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    }, 600_000)

    it('keeps the data at an upgrade', async () => {
      const before = statSync(data).mtimeMs
      expect((await install(packed.new, packed.native)).status).toBe(0)
      expect((await call('synoptic', '--version')).stdout).toBe(`${version}-next\n`)
      expect(await serve(['synoptic'])).not.toContain('first start')
      expect(statSync(data).mtimeMs).toBe(before)
    }, 600_000)

    it('serves from the folder that --data-dir names', async () => {
      cpSync(dirname(data), at('named'), { recursive: true })
      const output = await serve(['synoptic'], '--data-dir', at('named'))
      expect(output).toContain(`data: ${at('named')}`)
      expect(output).not.toContain('first start')
    }, 600_000)

    it('removes all of the program, and none of the data', async () => {
      const names = ['synoptic', `@synoptic/native-${process.platform}-${process.arch}`]
      const { status } = await call('npm', 'uninstall', '--global', '--prefix', prefix, ...names)
      expect(status).toBe(0)
      const left = readdirSync(prefix, { recursive: true, withFileTypes: true })
      expect(left.filter((entry) => !entry.isDirectory())).toEqual([])
      expect(existsSync(data)).toBe(true)
    }, 600_000)
  })

  it('a package from a registry brings what its platform needs, and says what is missing without that', async () => {
    expect((await install('synoptic')).status).toBe(0)
    const root = join(modules, 'synoptic')
    const native = join(root, 'node_modules', '@synoptic')
    const own = ['minilm-anime', `native-${process.platform}-${process.arch}`]
    expect(readdirSync(native)).toEqual(own)
    rmSync(native, { recursive: true })
    const { status, stderr } = await call('synoptic', 'serve', '--port', '0', '--workers', '1')
    expect(status).not.toBe(0)
    expect(stderr).toMatch(
      /is not installed; this machine needs the package @synoptic.native-\S+, version/,
    )

    rmSync(join(root, 'prebuilds'), { recursive: true })
    const unloaded = await call('synoptic', 'gpu', 'status')
    expect(unloaded.stderr).toMatch(/The native addon is not built; run `.*synoptic compile`/)
    const compiled = spawnSync(process.execPath, [join(root, 'dist', 'cli.js'), 'compile'], {
      env: { ...env(), PATH: at('empty'), CXX: '' },
      encoding: 'utf8',
    })
    expect(compiled.status).toBe(1)
    expect(compiled.stderr).toContain('CMake 3.20 or newer; found no cmake')
    expect(compiled.stderr).toContain('then run `synoptic compile` again')
  }, 600_000)

  it('npx serves from a packed file', async () => {
    const files = [packed.old, packed.native].flatMap((file) => ['--package', file])
    if (Number.parseInt(process.versions.node) < 22) {
      // npx installs into its cache first; there it lacks what Node 20 needs.
      await call('npx', '--yes', ...files, '--', 'synoptic', '--version')
      for (const name of readdirSync(at('cache', '_npx')))
        linkSqlite(at('cache', '_npx', name, 'node_modules', 'synoptic'))
    }
    await serve(['npx', '--yes', ...files, '--', 'synoptic'])
  }, 600_000)
})
