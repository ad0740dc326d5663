import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { commands } from '#synoptic/cli/command-table.js'
import { synopticHere } from './helpers/run-here.js'

const cli = fileURLToPath(import.meta.resolve('#synoptic/cli.js'))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-cli-'))
afterAll(() => rmSync(scratch, { recursive: true }))

async function synoptic(words: readonly string[], env: Record<string, string> = {}) {
  const { code: status, ...printed } = await synopticHere(words, { cwd: scratch, env })
  return { status, ...printed }
}

/** In a process of its own. */
function spawned(words: readonly string[], environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
    cwd: scratch,
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr }
}

describe('the command line', () => {
  it('prints its version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    for (const word of ['--version', '-v']) {
      expect(spawned([word])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    }
  })

  it('begins with a line that makes it a program', () => {
    expect(readFileSync(cli, 'utf8')).toMatch(/^#!\/usr\/bin\/env -S node .*\n/)
  })

  it('names the nearest setting to an unknown variable, and goes on', () => {
    const { status, stderr } = spawned(['data', 'list'], { SYNOPTIC_DATA_DRI: 'elsewhere' })
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^warning: SYNOPTIC_DATA_DRI: no setting has this name; did you mean SYNOPTIC_DATA_DIR\?\n/,
    )
  })

  it('sends no control character to a terminal', async () => {
    for (const words of [['\x1b]0;x\x07'], ['data', 'import', '\u009b2J.csv'], ['serve', '\x9b']]) {
      const { status, stderr } = await synoptic(words)
      expect(status).not.toBe(0)
      expect(stderr).toMatch(/\\u00[019]/)
      expect(stderr).not.toMatch(/(?![\t\n])\p{Cc}/u)
    }
  })

  it('lists every command, by each word for help', async () => {
    const { status, stdout } = await synoptic(['--help'])
    expect(status).toBe(0)
    for (const name of commands.keys()) expect(stdout).toContain(`  ${name} `)
    expect((await synoptic([])).stdout).toBe(stdout)
    expect((await synoptic(['-h'])).stdout).toBe(stdout)
    expect((await synoptic(['help'])).stdout).toBe(stdout)
  })

  it.each([...commands.keys()])('explains %s, with an example', async (name) => {
    const { status, stdout } = spawned([...name.split(' '), '--help'])
    expect(status).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Usage: synoptic ${name}`))
    expect(stdout).toMatch(/\nExamples?:\n {2}synoptic /)
    expect(stdout).toContain('--data-dir <folder>')
    expect((await synoptic(['help', ...name.split(' ')])).stdout).toBe(stdout)
  })

  it('lists the commands of a group', async () => {
    const { status, stdout } = await synoptic(['models', '--help'])
    expect(status).toBe(0)
    const listed = Array.from(stdout.matchAll(/^ {2}(\w+ ?\w*) {2}/gm), ([, name]) => name)
    expect(listed).toEqual([...commands.keys()].filter((name) => name.startsWith('models ')))
    expect((await synoptic(['help', 'models'])).stdout).toBe(stdout)
  })

  it('takes --help for a word of the command after --', async () => {
    expect((await synoptic(['data', 'list', '--', '--help'])).stdout).not.toContain('Usage')
  })
})

describe('the command line refuses', () => {
  it.each([
    [['srve'], 'unknown command: srve; did you mean serve?'],
    [['dat', 'list'], 'unknown command: dat; did you mean data list?'],
    [['import', 'x.csv'], 'unknown command: import; did you mean data import?'],
    [['start'], 'unknown command: start; did you mean serve?'],
    [['search'], 'search: name what to search for'],
    [['search', 'x', '--dataset', 'Films'], '--dataset: expected anime, manga, or a name'],
    [['search', 'x', '--results', '0'], '--results: expected a whole number from 1 to 100'],
    [
      ['data'],
      'data: expected init, import, merge, update, delete, list, index, export or pull, received nothing',
    ],
    [['data', 'lisst'], 'received lisst; did you mean list?'],
    [['data', '--data-dir', 'x'], 'received nothing'],
    [['constructor'], 'unknown command: constructor'],
    [['--port', '1'], 'unknown command: --port'],
    [['serve', '--prot', '1'], 'unknown option --prot; did you mean --port?'],
    [['serve', '--prot=1'], 'unknown option --prot; did you mean --port?'],
    [['serve', 'now'], 'unexpected word "now"'],
    [['serve', '--port', 'x'], '--port: expected an integer from 0 to 65535, received "x"'],
    [['data', 'list', '--port', '1'], '--port'],
  ])('%o', async (words, message) => {
    const { status, stdout, stderr } = await synoptic(words)
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/^error: /)
    expect(stderr).not.toMatch(/\n {4}at /)
  })

  it('every setting that is wrong, at once', () => {
    const file = join(scratch, 'synoptic.json')
    writeFileSync(file, '{"corsOrigin":"*"}')
    const words = ['serve', '--port', 'x', '--prot', '1', '--config', file]
    const { status, stderr } = spawned(words, { SYNOPTIC_TIMEOUT: 'y' })
    expect(status).toBe(2)
    expect(stderr.trim().split('\n')).toHaveLength(4)
    expect(stderr).toContain('error: unknown option --prot; did you mean --port?')
    expect(stderr).toContain('error: --port: expected')
    expect(stderr).toContain('error: SYNOPTIC_TIMEOUT: expected')
    expect(stderr).toContain(`corsOrigin in ${file}: unknown setting; did you mean corsOrigins?`)
  })

  it.each([
    [
      ['serve', '--config', 'nope.json'],
      2,
      '--config nope.json: there is no such file or folder (ENOENT)',
    ],
    [['serve', '--config', '.'], 2, '--config .: it is a folder (EISDIR)'],
    [['data', 'import', 'nope.json'], 1, 'there is no such file or folder (ENOENT)'],
    [
      ['data', 'update', '--data-dir', join(cli, 'x')],
      1,
      'cli.js/x/downloads: a part of the path is not a folder (ENOTDIR)',
    ],
    [['keys', 'list', '--api-keys', '.'], 2, '--api-keys .: it is a folder (EISDIR)'],
  ])('%o in words, not in those of the system', async (words, code, message) => {
    const { status, stdout, stderr } = await synoptic(words)
    expect([status, stdout]).toEqual([code, ''])
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/no such file or directory|, open|illegal operation/)
  })

  it('to hide why a command failed, without a stack for what it foresaw', async () => {
    const { status, stderr } = await synoptic(['data', 'list'])
    expect(status).toBe(1)
    expect(stderr).toContain('there is no catalogue')
    expect(stderr).toContain('synoptic data import')
    expect(stderr).not.toMatch(/\n {4}at /)
  })
})
