/** Tools for those who install: licences, and an install without the libraries of other platforms. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-install-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const run = (tool: string, words: readonly string[], cwd: string) =>
  spawnSync(process.execPath, [join(project, 'tools', tool), ...words], { cwd, encoding: 'utf8' })

describe('the licences', () => {
  const lock = (name: string, license: string, dev?: boolean) => ({
    packages: { '': {}, [`node_modules/${name}`]: { version: '1.0.0', license, dev } },
  })
  const check = (content: object, words: readonly string[] = []) => {
    writeFileSync(join(scratch, 'package-lock.json'), JSON.stringify(content))
    return run('licences.js', words, scratch)
  }

  it('of the project are permissive, and listed as they are', () => {
    expect(run('licences.js', ['--check'], project)).toMatchObject({ status: 0, stderr: '' })
  })

  it.each([
    ['MIT', false, 0],
    ['(MIT OR GPL-3.0)', false, 0],
    ['(MIT AND GPL-3.0)', false, 1],
    ['GPL-3.0', true, 1],
    ['MPL-2.0', true, 0],
    ['MPL-2.0', false, 1],
  ])('%s of a package, for development: %s, end with status %d', (licence, dev, status) => {
    expect(check(lock('one', licence, dev)).status).toBe(status)
  })

  it('that a file does not list are found', () => {
    expect(check(lock('one', 'MIT')).status).toBe(0)
    expect(readFileSync(join(scratch, 'THIRD-PARTY.md'), 'utf8')).toContain('| one | 1.0.0 | MIT |')
    const { status, stderr } = check(lock('two', 'MIT'), ['--check'])
    expect(status).toBe(1)
    expect(stderr).toContain('is out of date')
  })
})

describe('a production install', () => {
  const bin = join(scratch, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6')
  const add = (platform: string, architecture: string) => {
    mkdirSync(join(bin, platform, architecture), { recursive: true })
    writeFileSync(join(bin, platform, architecture, 'library'), 'x'.repeat(1e6))
  }

  it('keeps the libraries of this machine only', () => {
    add(process.platform, process.arch)
    add(process.platform, 'other')
    add('other', process.arch)
    const { status, stdout } = run('drop-foreign-libraries.js', [], scratch)
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'removed 2 MB of libraries for other platforms\n',
    })
    expect(existsSync(join(bin, process.platform, process.arch, 'library'))).toBe(true)
    expect(existsSync(join(bin, process.platform, 'other'))).toBe(false)
    expect(existsSync(join(bin, 'other'))).toBe(false)
  })

  it('keeps the tokenizers of this machine only, and other packages', () => {
    const folder = join(scratch, 'node_modules', 'tokenizers')
    mkdirSync(folder, { recursive: true })
    const { platform, arch } = process
    const own = [`tokenizers.${platform}-${arch}-gnu.node`, `tokenizers.${platform}-universal.node`]
    const others = [`tokenizers.${platform}-${arch}x-gnu.node`, `tokenizers.other-${arch}-gnu.node`]
    for (const name of [...own, ...others, 'index.js'])
      writeFileSync(join(folder, name), 'x'.repeat(1e6))
    expect(run('drop-foreign-libraries.js', [], scratch).stdout).toContain('removed 2 MB')
    expect(readdirSync(folder).sort()).toEqual([...own, 'index.js'].sort())
    for (const name of own) rmSync(join(folder, name))
    writeFileSync(join(folder, 'tokenizers.other-other.node'), '')
    expect(run('drop-foreign-libraries.js', [], scratch).stdout).toContain('removed 0 MB')
    expect(existsSync(join(folder, 'tokenizers.other-other.node'))).toBe(true)
  })

  it("keeps SQLite's libraries of this machine only", () => {
    const folder = join(scratch, 'node_modules', 'better-sqlite3', 'prebuilds')
    mkdirSync(folder, { recursive: true })
    const own = `${process.platform}-${process.arch}.node`
    const others = [`other-${process.arch}.node`, `${process.platform}-other.node`]
    for (const name of others) writeFileSync(join(folder, name), 'x'.repeat(1e6))
    expect(run('drop-foreign-libraries.js', [], scratch).stdout).toContain('removed 0 MB')
    writeFileSync(join(folder, own), '')
    expect(run('drop-foreign-libraries.js', [], scratch).stdout).toContain('removed 2 MB')
    expect(readdirSync(folder)).toEqual([own])
  })

  it('removes nothing where there are none for this machine', () => {
    rmSync(bin, { recursive: true })
    add('other', 'other')
    expect(run('drop-foreign-libraries.js', [], scratch).status).toBe(0)
    expect(existsSync(join(bin, 'other', 'other'))).toBe(true)
  })
})

describe('the install of onnxruntime-node', () => {
  it('is given the stand-in that ends it, and no option that npm does not know', () => {
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string; dependencies?: Record<string, string> }>
    }
    const inside = 'node_modules/onnxruntime-node'
    expect(lock.packages[inside]?.dependencies).toHaveProperty('global-agent')
    expect(lock.packages).not.toHaveProperty([`${inside}/node_modules/global-agent`])
    expect(lock.packages['node_modules/global-agent']?.resolved).toBe('tools/global-agent')
    expect(existsSync(join(project, '.npmrc'))).toBe(false)
  })

  it.each([
    ['ends before it fetches GPU libraries', undefined, ''],
    ['goes on where they are asked for', 'cuda12', 'goes on'],
  ])('%s', (_, setting, expected) => {
    const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: setting }
    const script = `require('./tools/global-agent').bootstrap(); process.stdout.write('goes on')`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
      cwd: project,
      env,
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: expected, stderr: '' })
  })
})

it('npm run sbom prints a CycloneDX document of what is installed', () => {
  const shell = process.platform === 'win32'
  const { stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell,
  })
  const bom = JSON.parse(stdout) as { bomFormat: string; components: { name: string }[] }
  expect(bom.bomFormat).toBe('CycloneDX')
  const names = bom.components.map(({ name }) => name)
  expect(names).toContain('hono')
  expect(names).not.toContain('vitest')
})
