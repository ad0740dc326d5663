/** tools/words/check.js: the words that plain English does without. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const check = fileURLToPath(new URL('../tools/words/check.js', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-words-'))
afterAll(() => rmSync(scratch, { recursive: true }))

function checked(file: string, content: string) {
  const path = join(scratch, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  const { status, stdout } = spawnSync(process.execPath, [check, file], {
    cwd: scratch,
    encoding: 'utf8',
  })
  return { status, stdout }
}

describe('the check of words', () => {
  it.each([
    ['a comment', 'src/a.ts', '/** The file\n * beside it. */\n', 2, 'beside'],
    ['a help text', 'src/a.ts', "const help = 'Asks the server.'\n", 1, 'asks'],
    ['an identifier in camel case', 'src/a.ts', '\n\nconst isWish = true\n', 3, 'wish'],
    ['an identifier in snake case', 'native/a.cpp', 'int told_rows = 1;\n', 1, 'told'],
    [
      'a phrase that a line of a comment breaks',
      'native/a.h',
      '// Rows of\n// which two\n',
      1,
      'of which',
    ],
    [
      'a chain within a sentence',
      'src/a.ts',
      '// A key whose name is\n// one whose hash is\n',
      1,
      'whose',
    ],
    ['a comment of a script', 'tools/a.py', '# made\n# anew\n', 2, 'anew'],
    ['a page', 'docs/a.md', 'Whoever has a key\n', 1, 'whoever'],
    ['the comment of a test', 'test/a.test.ts', "const a = 'x' // told\n", 1, 'told'],
    ['the title of a test', 'test/a.test.ts', "it('is asked', () => {})\n", 1, 'asked'],
    [
      'the title of a table',
      'test/a.test.ts',
      "it.each([\n  1,\n])('%s asks', (a) => {})\n",
      3,
      'asks',
    ],
  ])('finds one in %s', (_, file, content, line, word) => {
    const { status, stdout } = checked(file, content)
    expect(stdout).toMatch(new RegExp(`^${file}:${line}: "${word}[^"]*"; write \\w.*\n$`))
    expect(status).toBe(1)
  })

  it('prints each place, in order', () => {
    const { stdout } = checked('src/a.ts', '// It tells more\nconst told = asked\n')
    expect(stdout.match(/:\d+: "\w+"/g)).toEqual([':1: "tells"', ':2: "told"', ':2: "asked"'])
  })

  it.each([
    [
      'words that contain one',
      'src/a.ts',
      '// besides, tasks, basket, withstands\nconst retold = 1\n',
    ],
    ['two sentences', 'src/a.ts', '// A key whose name is long. One whose name is short.\n'],
    ['the input of a test', 'test/a.test.ts', "const query = 'a boy who is told a secret'\n"],
    ['an output of a test', 'test/a.test.ts', 'it(`works`, () => expect(answer).toBe("asked"))\n'],
  ])('accepts %s', (_, file, content) => {
    expect(checked(file, content)).toEqual({ status: 0, stdout: '' })
  })

  it('fails on an exception that no file needs', () => {
    writeFileSync(join(scratch, 'README.md'), 'Clean.\n')
    spawnSync('git', ['init', '-q'], { cwd: scratch })
    spawnSync('git', ['add', 'README.md'], { cwd: scratch })
    const { status, stdout } = spawnSync(process.execPath, [check], {
      cwd: scratch,
      encoding: 'utf8',
    })
    expect(stdout).toContain('remove the exception')
    expect(status).toBe(1)
  })
})
