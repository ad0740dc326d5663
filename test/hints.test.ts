/** Commands that the program prints run as printed, from where the user is. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands } from '#synoptic/cli/command-table.js'
import { runnable } from '#synoptic/base/util/runnable.js'
import { program, synoptic } from './helpers/run-cli.js'
import { hintsOfSources } from './helpers/source-hints.js'
import { importSample } from './serve/sample.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-hints-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a command in a message', () => {
  const text = 'run `synoptic embed build --dataset anime`, not synoptic itself'
  const of = (argv: string[], env: Record<string, string> = {}, cwd = '/home/me') =>
    runnable(text, { argv, env, cwd })

  it.each([
    ['of the package', ['/home/me/node_modules/.bin/synoptic'], {}, 'npx synoptic'],
    ['in the folder', ['/home/me/synoptic'], {}, './synoptic'],
    ['in a folder above', ['/home/synoptic'], {}, '../synoptic'],
    ['on the PATH', ['/usr/local/bin/synoptic'], { PATH: '/bin:/usr/local/bin' }, 'synoptic'],
    ['far away', ['/opt/s/synoptic'], {}, '/opt/s/synoptic'],
    ['under npm start', ['/home/me/dist/cli.js'], { npm_lifecycle_event: 'start' }, './synoptic'],
    ['with a space in its path', ['/home/me/my app/synoptic'], {}, "'./my app/synoptic'"],
  ] as const)('names the program %s', (_, argv, env, name) => {
    const expected = `run \`${name} embed build --dataset anime\`, not synoptic itself`
    expect(of([...argv], env)).toBe(expected)
  })

  it('has the folders of the environment, unless the command line says otherwise', () => {
    const env = {
      SYNOPTIC_DATA_DIR: '/my data',
      SYNOPTIC_CONFIG: 'c.json',
      SYNOPTIC_MODELS_DIR: '',
    }
    expect(of(['/home/me/synoptic'], env)).toContain(
      "`./synoptic embed build --data-dir '/my data' --config c.json --dataset anime`",
    )
    expect(of(['/home/me/synoptic', '--data-dir=/d'], env)).toContain(
      '`./synoptic embed build --data-dir=/d --config c.json --dataset anime`',
    )
  })

  it('names files of the program by their path', () => {
    const hint = 'run: synoptic data import data/works/manga.json; not data/works/manga.json'
    const cwd = join(program, '..', 'docs')
    expect(runnable(hint, { argv: [program], env: {}, cwd })).toBe(
      'run: ../synoptic data import ../data/works/manga.json; not data/works/manga.json',
    )
  })

  it('has the folders of the command line', () => {
    const words = ['data', 'list', '--data-dir', 'my data', '--models-dir=/m', '--port', '1']
    expect(of(['/home/me/synoptic', ...words])).toContain(
      "`./synoptic embed build --data-dir 'my data' --models-dir=/m --dataset anime`",
    )
  })
})

describe('hints of all source files', () => {
  const hints = hintsOfSources()

  it('name commands that there are, with options that these have', async () => {
    expect(hints.length).toBeGreaterThan(40)
    const helps = new Map<string, string>()
    for (const { file, name, flags } of hints) {
      const entry = commands.get(name)
      expect(entry, `${file}: synoptic ${name}`).toBeDefined()
      const help = helps.get(name) ?? (await entry?.load())?.help ?? ''
      helps.set(name, help)
      const settings = Object.keys(entry?.settings ?? {}).map(
        (key) => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      )
      for (const flag of flags) {
        const isKnown = help.includes(flag) || settings.includes(flag)
        expect(isKnown, `${file}: synoptic ${name} ${flag}`).toBe(true)
      }
    }
  })
})

describe('what ./synoptic prints', () => {
  beforeAll(() => importSample(folder), 60_000)
  const folders = () => ['--data-dir', join(folder, 'data'), '--embeddings-dir', 'my vectors']

  it('mends missing embeddings when it is pasted into a shell, from another folder', () => {
    // The embeddings of the sample lie elsewhere, so none match here.
    const search = synoptic(['eval', '--dataset', 'anime', ...folders()], { cwd: folder })
    expect(search.code).toBe(1)
    const [, hint] = /^To fix it, run: (.+)$/m.exec(search.stderr) ?? []
    expect(hint).toMatch(/^\S*synoptic embed build --data-dir \S+ --embeddings-dir 'my vectors' /)
    const pasted = spawnSync('sh', ['-c', hint ?? 'false'], { cwd: folder, encoding: 'utf8' })
    expect(pasted.stderr).toBe('')
    expect(pasted.status).toBe(0)
    expect(synoptic(['eval', '--dataset', 'anime', ...folders()], { cwd: folder }).code).toBe(0)
  })

  it.each([[[]], [['eval']], [['data', 'init']], [['models']], [['keys', 'add']]])(
    'names itself alike all over the help of %o',
    (words) => {
      const { stdout } = synoptic([...words, '--help'], { cwd: join(program, '..', 'docs') })
      const named = stdout.match(/(?:[.\w/]*\/)?\bsynoptic(?= (?:<|[a-z]))/g) ?? []
      expect(named.length).toBeGreaterThan(1)
      expect(new Set(named)).toEqual(new Set(['../synoptic']))
    },
  )

  it('names itself by its path', () => {
    const { stderr } = synoptic(['data', 'import'], { cwd: folder })
    const path = relative(folder, program)
    const name = path.length < program.length ? path : program
    expect(stderr).toContain(`\`${name} data init FILE\``)
  })
})
