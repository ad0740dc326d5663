import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '#synoptic/base/util/replace-file.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-replace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('replaceFile', () => {
  it('makes a file, and puts another in its place', () => {
    const file = join(folder, 'a.json')
    replaceFile(file, 'one')
    replaceFile(file, 'two')
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  it('gives the mode', () => {
    const file = join(folder, 'keys.json')
    writeFileSync(file, 'one')
    replaceFile(file, 'two', 0o600)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('writes the file that a link leads to', () => {
    mkdirSync(join(folder, 'real'))
    const [real, link] = [join(folder, 'real', 'a.json'), join(folder, 'link.json')]
    writeFileSync(real, 'one')
    symlinkSync(real, link)
    replaceFile(link, 'two')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toBe('two')
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      'link.json',
      'real',
      join('real', 'a.json'),
    ])
  })

  it('writes into what is not a regular file', () => {
    const script = `
      import { replaceFile } from '#synoptic/base/util/replace-file.js'
      replaceFile('/dev/stdout', 'figures')`
    // A pipe, which a shell makes; Node would give it a socket.
    const words = ['-c', '"$0" --input-type=module -e "$1" | cat', process.execPath, script]
    const { stdout, stderr } = spawnSync('sh', words, { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toBe('figures')
  })

  it('names the file where its folder is not there', () => {
    const path = join(folder, 'nowhere', 'a.json')
    expect(() => replaceFile(path, 'one')).toThrow(
      expect.objectContaining({ code: 'ENOENT', path }),
    )
    expect(readdirSync(folder)).toEqual([])
  })
})
