/** The package as a program has it: packed, installed in an empty project, imported. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userFolder } from '#synoptic/base/config/user-folder.js'
import { installPackage } from '../helpers/installed-package.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-library-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const app = join(scratch, 'app')
const home = join(scratch, 'home')
/** The folder of the system for data of programs, wherever that is. */
const env = { ...process.env, HOME: home, XDG_DATA_HOME: join(home, 'data'), LOCALAPPDATA: home }

const run = (script: string) => {
  writeFileSync(join(app, 'main.js'), script)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['main.js'], {
    cwd: app,
    env,
    encoding: 'utf8',
  })
  return { status, stderr, printed: stdout.trim().split('\n') }
}
const open = `import { openIndex } from 'synoptic'
const index = await openIndex()
const fails = async (promise) => promise.then(() => console.log('no error'),
  ({ name, message }) => console.log(name + ' ' + message))
`

/** Enough to search; test/serve/first-start.test.ts begins with all works. */
function keepFirstWorks(count: number): void {
  for (const dataset of ['anime', 'manga']) {
    const file = join(app, 'node_modules', 'synoptic', 'data', 'works', `${dataset}.jsonl`)
    const rows = readFileSync(file, 'utf8').split('\n').slice(0, count)
    writeFileSync(file, `${rows.join('\n')}\n`)
  }
}

beforeAll(async () => {
  mkdirSync(app)
  await installPackage(app)
  keepFirstWorks(300)
}, 600_000)

describe('openIndex', () => {
  it('searches included works, in the folder of the system for data', () => {
    const { printed, stderr, status } = run(`${open}
      console.log(index.datasets.join())
      const [first] = await index.search('anime', "a student finds a death god's notebook", { limit: 1 })
      console.log(first.title, first.year, first.score > 0.5, first.synopsis.length > 40)
      const films = await index.search('anime', 'giant robots', { type: 'movie', limit: 3 })
      console.log(films.map(({ type }) => type).join())
      const pages = await Promise.all([1, 2].map((page) => index.search('manga', 'pirates', { page, limit: 4 })))
      console.log(new Set(pages.flat().map(({ id }) => id)).size)
      const alike = await index.similar('anime', first.id, { limit: 4 })
      console.log(alike.length, alike.every(({ id }) => id !== first.id))
      await index.close()`)
    expect({ status, printed, stderr }).toEqual({
      status: 0,
      printed: ['anime,manga', 'Death Note 2006 true true', 'movie,movie,movie', '8', '4 true'],
      stderr: '',
    })
    expect(existsSync(join(userFolder(env, process.platform, home), 'data'))).toBe(true)
    // Nothing next to the program, and nothing in the current folder.
    expect(readdirSync(app).filter((name) => /^(data|embeddings|models|logs)$/.test(name))).toEqual(
      [],
    )
  }, 600_000)

  it('rejects what is not valid, and says what is', () => {
    const { printed } = run(`${open}
      await fails(index.search('anime', ' '))
      await fails(index.search('anime', 'x', { limit: 101, genre: 'x' }))
      await fails(index.search('anime', 'x', { yearFrom: 2000, yearTo: 1990 }))
      await fails(index.search('anime', 1))
      await fails(index.search('films', 'x'))
      await fails(index.similar('anime', 99999999))
      await fails(index.search('anime', 'x', { signal: AbortSignal.abort(new Error('left')) }))
      await index.close()
      await fails(index.search('anime', 'x'))`)
    expect(printed).toEqual([
      'ValidationError query: must be 1 to 2,000 characters; it is empty',
      expect.stringMatching(/^ValidationError limit: .*1 to 100.*genre: unknown name/),
      'ValidationError expected yearFrom to be at most yearTo, received 2000 and 1990',
      'ValidationError query: expected text, received 1',
      expect.stringContaining('DatasetMissingError'),
      'NotFoundError The anime dataset has no entry with the id 99999999.',
      'Error left',
      expect.not.stringContaining('no error'),
    ])
  }, 600_000)
})

describe('createServer', () => {
  it('listens, answers, and lets the process end', () => {
    const { status, printed } = run(`import { createServer } from 'synoptic'
      const server = await createServer({ settings: { rateLimit: 0, ui: 'off' } })
      const response = await fetch(server.url + '/search/anime', {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: 'monster doctor', num_results: 1 }) })
      console.log(response.status, (await response.json()).results.length, server.url.endsWith(':' + server.port))
      await server.close()
      await fetch(server.url).then(() => console.log('still there'), () => console.log('closed'))`)
    expect({ status, printed }).toEqual({ status: 0, printed: ['200 1 true', 'closed'] })
  }, 600_000)

  it('lists every setting that is wrong', () => {
    const { printed } = run(`import { createServer } from 'synoptic'
      await createServer({ port: 70000, settings: { rateLimits: 1, ui: 'perhaps' } })
        .catch(({ name, problems }) => console.log(name, problems.length))`)
    expect(printed).toEqual(['SettingsError 3'])
  })
})

describe('the command', () => {
  const command = join(app, 'node_modules', 'synoptic', 'dist', 'cli.js')
  const call = (cwd: string, ...words: string[]) =>
    spawnSync(process.execPath, [command, ...words], { cwd, env, encoding: 'utf8' }).stdout
  const empty = join(scratch, 'empty')
  const dataOf = (cwd: string) =>
    /^ +default (.*); SYNOPTIC_DATA_DIR$/m.exec(call(cwd, 'serve', '--help'))?.[1]

  it('says its version', () => {
    mkdirSync(empty)
    const { version } = JSON.parse(
      readFileSync(join(app, 'node_modules', 'synoptic', 'package.json'), 'utf8'),
    ) as { version: string }
    expect(call(empty, '--version')).toBe(`${version}\n`)
  })

  const large = 'has its large encoder from a package; without that, names the command that adds it'
  it(large, { tags: ['nightly'], timeout: 600_000 }, () => {
    const name = 'builtin/minilm-anime'
    const tell = (...words: string[]) => {
      const { stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
        cwd: app,
        env,
        encoding: 'utf8',
      })
      return stdout + stderr
    }
    expect(tell('models', 'list')).toMatch(/^builtin\/minilm-anime +built in +384 /m)
    const folder = join(app, 'node_modules', '@synoptic', 'minilm-anime')
    renameSync(folder, `${folder}.aside`)
    const how = `synoptic models add FOLDER --name ${name}`
    expect(tell('serve', '--port', '0', '--search-encoder', name)).toContain(how)
    expect(tell('models', 'list')).toMatch(/^builtin\/minilm-anime +- /m)
    const added = tell('models', 'add', join(project, 'models', name), '--name', name, '--copy')
    expect(added).toContain(`${name}: 384 dimensions`)
    expect(tell('models', 'list')).toMatch(/^builtin\/minilm-anime +installed /m)
    expect(tell('models', 'check', name)).toContain('384 dimensions')
    renameSync(`${folder}.aside`, folder)
  })

  it('serves from the folder of the system for data, and leaves the current one alone', async () => {
    const server = spawn(process.execPath, [command, 'serve', '--port', '0', '--workers', '1'], {
      cwd: empty,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let printed = ''
    for await (const text of server.stdout.setEncoding('utf8')) {
      printed += String(text)
      if (printed.includes('Open http')) break
    }
    const [, origin = ''] = /ready at (\S+)/.exec(printed) ?? []
    const response = await fetch(`${origin}/search/anime`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'two brothers and alchemy' }),
    })
    expect(response.status).toBe(200)
    server.kill('SIGTERM')
    await once(server, 'exit')
    expect(printed).toContain(`data: ${userFolder(env, process.platform, home)}`)
    expect(printed).toContain(`log: ${userFolder(env, process.platform, home)}`)
    const isOld = Number.parseInt(process.versions.node) < 22
    expect(printed.includes('is past its end of life: use Node 22 or newer')).toBe(isOld)
    expect(readdirSync(empty)).toEqual([])
  }, 600_000)

  it('takes the folder data of the current folder, or the one that is named', () => {
    const own = join(scratch, 'own')
    mkdirSync(join(own, 'data'), { recursive: true })
    expect(dataOf(own)).toBe('data')
    expect(dataOf(empty)).toBe(join(userFolder(env, process.platform, home), 'data'))
    const named = call(empty, 'data', 'list', '--data-dir', join(own, 'data'))
    expect(named).not.toContain('anime')
  })
})

describe('the types', () => {
  let errors: readonly string[] = []
  /** Compiled at once, because the compiler takes four seconds to start. */
  beforeAll(() => {
    const good = `import { createServer, openIndex, type Found } from 'synoptic'
      const index = await openIndex({ folder: 'here', warn: (message: string) => { console.log(message) } })
      const found: readonly Found[] = await index.search('manga', 'a storm', { genres: { any: ['Drama'] }, yearFrom: 1990 })
      const year: number | null | undefined = found[0]?.year
      const { url } = await createServer({ port: 8000, settings: { workers: 1 } })
      console.log(year, url.length, (await index.similar('anime', 1))[0]?.similarity)
      await index.close()`
    const bad = `import { openIndex } from 'synoptic'
      const index = await openIndex({ folder: 1 })
      await index.search('anime', 1)
      await index.search('anime', 'x', { yearFrom: '1990' })`
    writeFileSync(join(app, 'good.ts'), good)
    writeFileSync(join(app, 'bad.ts'), bad)
    const compilerOptions = {
      target: 'ES2023',
      lib: ['ES2023', 'DOM'],
      module: 'NodeNext',
      types: [],
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    }
    const tsconfig = { compilerOptions, files: ['good.ts', 'bad.ts'] }
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(tsconfig))
    const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: app, encoding: 'utf8' })
    errors = stdout.match(/^.*error TS.*$/gm) ?? []
  }, 600_000)

  it('hold for a strict program', () => {
    expect(errors.filter((line) => !line.startsWith('bad.ts'))).toEqual([])
  })

  it('refuse what the library refuses', () => {
    expect(errors.map((line) => /^\w+\.ts\(\d+/.exec(line)?.[0])).toEqual([
      'bad.ts(2',
      'bad.ts(3',
      'bad.ts(4',
    ])
  })
})
