/** The addon as a package brings it: found, loaded, held to an old C library, and compiled where it does not fit. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { prebuiltAddon } from '#synoptic/native/addon/prebuilt.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-prebuilt-'))
afterAll(() => rmSync(scratch, { recursive: true }))
/** As npm installs it. */
const root = join(scratch, 'node_modules', 'synoptic')
const own = join(root, 'build', 'Release', 'synoptic.node')
const prebuilt = prebuiltAddon(root)
const built = [join(project, 'build', 'Release', 'synoptic.node'), prebuiltAddon(project)].find(
  (file) => existsSync(file),
)

const run = (words: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  spawnSync(process.execPath, words, { cwd: scratch, env, encoding: 'utf8' })
const put = (file: string, content?: string) => {
  mkdirSync(join(file, '..'), { recursive: true })
  if (content === undefined) cpSync(String(built), file)
  else writeFileSync(file, content)
}
/** A PATH on which nothing is found. */
const withoutTools = { ...process.env, PATH: join(scratch, 'empty'), CXX: '', SYNOPTIC_ZIG: '' }

beforeEach(() => {
  rmSync(root, { recursive: true, force: true })
  // tools/node20 may hold packages, which are many files.
  const filter = (path: string) => !path.includes('node_modules', project.length)
  for (const folder of ['dist/native/addon', 'dist/base/errors', 'dist/base/util', 'tools'])
    cpSync(join(project, folder), join(root, folder), { recursive: true, filter })
  cpSync(join(project, 'package.json'), join(root, 'package.json'))
})

describe('the addon of a package', () => {
  const load = () => {
    const module = pathToFileURL(join(root, 'dist', 'native', 'addon', 'index.js')).href
    const script = `import(${JSON.stringify(module)}).then(({ nativeInfo }) =>
      console.log(nativeInfo().kernel)).catch(({ code, message }) => console.log(code, message))`
    return run(['-e', script]).stdout.trim()
  }

  it('lies in the folder of its platform', () => {
    const name = `${process.platform}-${process.arch}`
    expect(prebuilt.slice(root.length)).toMatch(
      new RegExp(`^.prebuilds.${name}(-musl)?.synoptic\\.node$`),
    )
  })

  it('loads without a build', () => {
    put(prebuilt)
    expect(load()).toMatch(/^[a-z0-9-]+$/)
  })

  it('that was compiled here comes first, and the other one where it does not load', () => {
    put(own)
    put(prebuilt, 'no library')
    expect(load()).toMatch(/^[a-z0-9-]+$/)
    put(own, 'no library')
    put(prebuilt)
    expect(load()).toMatch(/^[a-z0-9-]+$/)
  })

  it('that is missing or broken is reported with what to do', () => {
    expect(load()).toBe('EADDON The native addon is not built; run `synoptic compile`.')
    put(prebuilt, 'no library')
    expect(load()).toBe('EADDON The native addon does not load; run `synoptic compile`.')
  })
})

describe('the build of the addon', () => {
  const install = (...words: string[]) =>
    run([join(root, 'tools', 'build-addon.js'), ...words], withoutTools)

  it('needs no compiler where an addon fits', () => {
    put(prebuilt)
    expect(install('--unless-prebuilt')).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  it('compiles where none is there, and says what is missing for that', () => {
    put(join(root, 'prebuilds', 'other-x64', 'synoptic.node'), 'of another platform')
    const { status, stderr } = install('--unless-prebuilt')
    expect(status).toBe(1)
    expect(stderr).toContain(`the package has no ${prebuilt.slice(root.length + 1)}`)
    expect(stderr).toContain('- CMake 3.20 or newer; found no cmake')
    expect(stderr).toContain('then run `synoptic compile` again')
  })

  it('compiles where the package has none at all', () => {
    const { status, stderr } = install()
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Synoptic needs/)
  })

  it('compiles where the one that is there does not load', () => {
    put(prebuilt, 'no library')
    const { status, stderr } = install('--unless-prebuilt')
    expect(status).toBe(1)
    expect(stderr).toContain('does not load; compiling it')
  })

  it('compiles where that is requested', () => {
    put(prebuilt)
    expect(install().status).toBe(1)
  })
})

describe('npm run prebuild', () => {
  const prebuild = (...names: string[]) =>
    run([join(project, 'tools', 'prebuild', 'prebuild.js'), ...names], withoutTools)

  it('knows its platforms', () => {
    const { status, stderr } = prebuild('linux-x86')
    expect(status).toBe(1)
    expect(stderr).toMatch(/expected linux-x64, .*darwin-x64; received linux-x86/)
  })

  it('says how to get its compiler', () => {
    const { status, stderr } = prebuild('linux-x64')
    expect(status).toBe(1)
    expect(stderr).toContain('pip install ziglang')
  })

  it('is named where a package is made without what it makes', ({ skip }) => {
    const platform = 'darwin-arm64'
    if (existsSync(join(project, 'prebuilds', platform, 'synoptic.node')))
      skip('prebuilds/ has an addon for each platform')
    const tool = join(project, 'tools', 'package', 'package.js')
    const { stderr } = run([tool, platform, '--to', join(scratch, 'packages')], withoutTools)
    expect(stderr).toContain(`WITHOUT the compiled core for ${platform}`)
    expect(stderr).toContain('pip install ziglang && npm run prebuild')
  })

  it('reads the C library that a file needs as objdump does', async ({ skip }) => {
    const { newestGlibc } = await readsGlibc()
    const objdump = spawnSync('objdump', ['-T', String(built)], { encoding: 'utf8' })
    if (objdump.status !== 0) skip('objdump reads no addon here')
    const versions = [...objdump.stdout.matchAll(/GLIBC_(\d+)\.(\d+)/g)].map(
      ([, major, minor]) => [Number(major), Number(minor)] as const,
    )
    const newest = versions.sort(([a, b], [c, d]) => c - a || d - b)[0] ?? [0, 0]
    expect(newestGlibc(readFileSync(String(built)))).toEqual(newest)
  })

  it('has made addons that old systems load, with their hashes', async ({ skip }) => {
    const sums = join(project, 'prebuilds', 'SHA256SUMS')
    if (!existsSync(sums)) skip('there is no prebuilds/; `npm run prebuild` makes it')
    const { newestGlibc } = await readsGlibc()
    const lines = readFileSync(sums, 'utf8').trim().split('\n')
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const [hash, name = ''] = line.split('  ')
      const content = readFileSync(join(project, 'prebuilds', name))
      expect(createHash('sha256').update(content).digest('hex')).toBe(hash)
      const [major, minor] = newestGlibc(content)
      expect(major * 100 + minor).toBeLessThanOrEqual(name.includes('-musl') ? 0 : 228)
      expect(content.includes(project)).toBe(false)
      const [, mac] = /^darwin-(\w+)\//.exec(name) ?? []
      if (mac !== undefined) expect((await readsMachO()).problemsOfMachO(content, mac)).toEqual([])
    }
  })

  it('reads files of macOS as LLVM does', async ({ skip }) => {
    const [name] = ['darwin-x64', 'darwin-arm64'].filter((one) =>
      existsSync(join(project, 'prebuilds', one, 'synoptic.node')),
    )
    if (name === undefined) skip('there is no addon for macOS; `npm run prebuild` makes them')
    const file = join(project, 'prebuilds', String(name), 'synoptic.node')
    const nm = spawnSync('llvm-nm', ['-gm', file], { encoding: 'utf8' })
    if (nm.status !== 0) skip('llvm-nm reads no addon here (`apt install llvm`)')
    const found = (await readsMachO()).readMachO(readFileSync(file))
    const lines = nm.stdout.trim().split('\n')
    const symbols = (of: (line: string) => boolean) =>
      lines.filter(of).map((line) => /(\S+)(?: \(.*\))?$/.exec(line.trim())?.[1])
    const isTaken = (line: string) => line.includes('(undefined)')
    const isOfSystem = (line: string) => isTaken(line) && line.includes('(from libSystem)')
    expect(found.system.sort()).toEqual(symbols(isOfSystem).sort())
    expect(found.process.sort()).toEqual(
      symbols((line) => isTaken(line) && !isOfSystem(line)).sort(),
    )
    expect(found.exports).toEqual(
      expect.arrayContaining(symbols((line) => !isTaken(line) && !line.includes('absolute'))),
    )
    expect(found.exports).toContain('_napi_register_module_v1')
  })

  it('refuses what no Mac would load', async () => {
    const { problemsOfMachO, readMachO } = await readsMachO()
    expect(() => readMachO(Buffer.from('no library'))).toThrow(/expected a library of macOS/)
    expect(() => readMachO(readFileSync(String(built)))).toThrow(/expected a library of macOS/)
    // A header without commands: nothing that a library has.
    const empty = Buffer.alloc(32)
    empty.writeUInt32LE(0xfeedfacf, 0)
    empty.writeUInt32LE(0x01000007, 4)
    expect(problemsOfMachO(empty, 'arm64')).toEqual([
      'is for x64',
      'needs macOS undefined',
      'has no _napi_register_module_v1',
      'is not signed',
    ])
  })
})

function readsGlibc(): Promise<{ newestGlibc: (file: Buffer) => [number, number] }> {
  const file = pathToFileURL(join(project, 'tools', 'prebuild', 'glibc.js')).href
  return import(file) as Promise<{ newestGlibc: (file: Buffer) => [number, number] }>
}

interface MachO {
  readonly system: string[]
  readonly process: string[]
  readonly exports: string[]
}

interface MachOTools {
  readonly readMachO: (file: Buffer) => MachO
  readonly problemsOfMachO: (file: Buffer, processor: string) => string[]
}

function readsMachO(): Promise<MachOTools> {
  const file = pathToFileURL(join(project, 'tools', 'prebuild', 'mach-o.js')).href
  return import(file) as Promise<MachOTools>
}
