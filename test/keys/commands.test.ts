import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hashOf } from '#synoptic/base/keys/api-key.js'
import { readKeyFile } from '#synoptic/base/keys/key-file.js'
import { program } from '../helpers/run-cli.js'
import { synopticHere as synoptic } from '../helpers/run-here.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-keys-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const folder = () => mkdtempSync(join(scratch, 'keys-'))

function keysIn(cwd: string) {
  const keys = (...words: string[]) => synoptic(['keys', ...words], { cwd })
  return {
    keys,
    file: join(cwd, 'keys.json'),
    add: (name: string, ...words: string[]) =>
      keys('add', name, '--api-keys', 'keys.json', ...words),
  }
}

describe('synoptic keys add', () => {
  it('prints a new key once, and keeps its hash alone in a file of its owner', async () => {
    const { add, file } = keysIn(folder())
    const { code, stdout, stderr } = await add('website')
    expect(code).toBe(0)
    const key = stdout.trim()
    expect(key).toMatch(/^syn_[\w-]{43}$/)
    expect(stderr).not.toContain(key)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(key)
    expect(text).not.toContain(key.slice('syn_'.length))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readKeyFile(file)).toMatchObject([
      { name: 'website', hash: hashOf(key).toString('hex'), scopes: ['search'] },
    ])
    expect((await add('other')).stdout.trim()).not.toBe(key)
    expect(readKeyFile(file).map(({ name }) => name)).toEqual(['website', 'other'])
  })

  it('takes scopes, expiry and a limit, which `keys list` shows', async () => {
    const cwd = folder()
    const { add, keys } = keysIn(cwd)
    const options = ['--scopes', 'admin,search', '--expires', '2999-01-31', '--per-minute', '600']
    expect((await add('reports', ...options)).code).toBe(0)
    expect((await add('soon', '--expires', '2d')).code).toBe(0)
    const { code, stdout } = await keys('list', '--api-keys', 'keys.json')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^reports +search,admin, made \d{4}-.*, expires 2999-01-31, 600 per minute$/m,
    )
    const [, soon] = readKeyFile(join(cwd, 'keys.json'))
    const days = (Date.parse(soon?.expires ?? '') - Date.parse(soon?.created ?? '')) / 86_400_000
    expect(days).toBeCloseTo(2, 3)
  })

  it.each([
    ['a name that is taken', ['website'], 'there is a key with the name website already'],
    ['no name', [], 'expected one name, received 0'],
    ['two names', ['a', 'b'], 'expected one name, received 2'],
    ['a name with a slash', ['a/b'], 'expected 1 to 64 letters'],
    [
      'an unknown scope',
      ['a', '--scopes', 'serach'],
      'expected a list of search, embed, write, admin',
    ],
    ['a scope twice', ['a', '--scopes', 'search,search'], 'each once'],
    ['no scope', ['a', '--scopes='], 'expected a list of search'],
    ['a date that has passed', ['a', '--expires', '2020-01-01'], 'expected a date to come'],
    ['a day that no month has', ['a', '--expires', '2999-02-30'], 'expected a date to come'],
    ['0 days', ['a', '--expires', '0d'], 'expected a date to come'],
    ['a limit of 0', ['a', '--per-minute', '0'], 'expected an integer from 1'],
    ['a limit in words', ['a', '--per-minute', '1e3'], 'expected an integer from 1'],
    ['an unknown option', ['a', '--scope', 'search'], 'unknown option --scope'],
  ])('refuses %s', async (_, words, message) => {
    const { add, keys, file } = keysIn(folder())
    await add('website')
    const before = readFileSync(file, 'utf8')
    const { code, stderr, stdout } = await keys('add', ...words, '--api-keys', 'keys.json')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('needs the file', async () => {
    const { code, stderr } = await synoptic(['keys', 'add', 'a'], { cwd: folder() })
    expect(code).toBe(2)
    expect(stderr).toContain('--api-keys <file>')
  })

  it('loses no key of several commands at once, and leaves no file behind', async () => {
    const cwd = folder()
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const words = [program, 'keys', 'add', `key-${i}`, '--api-keys', 'keys.json']
        const child = spawn(process.execPath, words, { cwd, stdio: 'ignore' })
        const [status] = (await once(child, 'exit')) as [number]
        return status === 0 ? [`key-${i}`] : []
      }),
    )
    const names = readKeyFile(join(cwd, 'keys.json')).map(({ name }) => name)
    expect(names.toSorted()).toEqual(outcomes.flat())
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('synoptic keys revoke', () => {
  it('takes one key away', async () => {
    const { add, keys, file } = keysIn(folder())
    for (const name of ['a', 'b']) await add(name)
    expect((await keys('revoke', 'a', '--api-keys', 'keys.json')).code).toBe(0)
    expect(readKeyFile(file).map(({ name }) => name)).toEqual(['b'])
  })

  it.each([
    [['c'], 'there is no key with the name c'],
    [[], 'expected one name'],
  ])('refuses %j', async (words, message) => {
    const { add, keys } = keysIn(folder())
    await add('a')
    const { code, stderr } = await keys('revoke', ...words, '--api-keys', 'keys.json')
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('does not repeat a key that was typed instead of its name', async () => {
    const { add, keys } = keysIn(folder())
    const key = (await add('a')).stdout.trim()
    const { code, stdout, stderr } = await keys('revoke', key, '--api-keys', 'keys.json')
    expect(code).toBe(2)
    expect(stdout + stderr).not.toContain(key)
  })
})

describe('the key file', () => {
  const hash = 'a'.repeat(64)
  const key = { name: 'a', hash, scopes: ['search'], created: '2026-01-01T00:00:00.000Z' }

  it.each([
    ['no JSON', '{', 'expected JSON'],
    ['an array', '[]', 'keys: expected Array'],
    ['no keys', '{}', 'keys: required'],
    ['an unknown member', { keys: [{ ...key, key: 'syn_x' }] }, 'keys.0.key: unknown member'],
    ['a short hash', { keys: [{ ...key, hash: 'abc' }] }, '64 hexadecimal digits'],
    ['no scopes', { keys: [{ ...key, scopes: [] }] }, 'expected a list of search'],
    ['an unknown scope', { keys: [{ ...key, scopes: ['all'] }] }, 'expected a list of search'],
    ['a name twice', { keys: [key, { ...key, hash: 'b'.repeat(64) }] }, 'expected each name once'],
    ['a hash twice', { keys: [key, { ...key, name: 'b' }] }, 'expected each hash once'],
    ['a key as a name', { keys: [{ ...key, name: 'syn_abc' }] }, 'do not begin with syn_'],
    ['a wrong expiry', { keys: [{ ...key, expires: 'soon' }] }, 'expected a time'],
    ['a limit of 0', { keys: [{ ...key, perMinute: 0 }] }, 'expected an integer from 1'],
  ])('is refused with %s', (_, content, message) => {
    const cwd = folder()
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(cwd, 'keys.json'), text)
    expect(() => readKeyFile(join(cwd, 'keys.json'))).toThrow(message)
  })

  it('has to be there when a server starts', async () => {
    const words = ['serve', '--api-keys', 'missing.json', '--port', '0', '--log-level', 'silent']
    const { code, stderr } = await synoptic(words, { cwd: folder() })
    expect(code).toBe(2)
    expect(stderr).toContain('missing.json: there is no such file')
  })
})
