/**
 * Every command that the program prints, run as printed, in the situation that printed it; by day a few. A folder replaces
 * the user's; words in capitals are replaced by what only the user knows. Downloads come from a hub on loopback.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resolveModel } from '#synoptic/models/registry/registry.js'
import { type TestHub, startHub } from './helpers/hub.js'
import { program } from './helpers/run-cli.js'
import { hintsOfSources } from './helpers/source-hints.js'
import { writeTinyModel } from './helpers/tiny-model.js'

const model = 'encoders/all-MiniLM-L12-v1'
const repository = 'sentence-transformers/all-MiniLM-L12-v1'
/** The folders are those of the user, not the default ones, and need quotes. */
const folders = "--data-dir 'my data' --embeddings-dir vectors --models-dir models"
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-printed-'))
const ready = join(scratch, 'ready')
let home = ''
let homes = 0
let hub: TestHub
const at = (...names: string[]) => join(home, ...names)

interface Ran {
  readonly code: number | null
  readonly text: string
}

/** As a shell of the user runs it: asynchronously, because the hub is in this process. No import waits for works to join. */
async function shell(line: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const child = spawn('sh', ['-c', line], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      HF_ENDPOINT: hub.endpoint,
      SYNOPTIC_WORKS: 'off',
      ...env,
    },
  })
  let text = ''
  const onText = (piece: string) => (text += piece)
  child.stdout.setEncoding('utf8').on('data', onText)
  child.stderr.setEncoding('utf8').on('data', onText)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text }
}

const call = (words: string, settings = folders) => shell(`'${program}' ${words} ${settings}`)

/** Starts a server by a line of a shell; resolves once it is ready. */
async function startServer(line: string) {
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
  })
  const closed = once(child, 'close')
  const output = { text: '' }
  const onText = (piece: string) => (output.text += piece)
  child.stdout.setEncoding('utf8').on('data', onText)
  child.stderr.setEncoding('utf8').on('data', onText)
  const said = async (what: RegExp) => {
    while (!what.test(output.text)) {
      if (child.exitCode !== null) throw new Error(output.text)
      await sleep(20)
    }
    return output.text
  }
  await said(/is ready at [^]*\n {2}curl .*\n/)
  return {
    child,
    said,
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await closed) as [number | null]
      return code
    },
  }
}

const placeholders = /(?<= )(?:FILE|FOLDER|NAME)(?= |$)/g

/** The commands of a text as they stand there, with the words that only the user knows put in. */
function commandsIn(text: string, known: Readonly<Record<string, string>> = {}): string[] {
  const line =
    /(?:npx |(?:[./]|'[./])[^\s"`]*\/|(?<=[\s`]))synoptic'? (?:data|embed|models|eval|serve)\b[^`\n;"]*/g
  return [...new Set([...text.replaceAll('\\n', '\n').matchAll(line)].map(([found]) => found))].map(
    (found) => found.replaceAll(placeholders, (name) => known[name] ?? name),
  )
}

/** Runs what a text tells, and returns what came of it. */
async function follow(text: string, known?: Readonly<Record<string, string>>): Promise<Ran[]> {
  const commands = commandsIn(text, known)
  expect(commands, text).not.toEqual([])
  const ran: Ran[] = []
  for (const command of commands) {
    const result = await shell(command)
    expect(result.code, `${command}\n${result.text}`).toBe(0)
    ran.push(result)
  }
  return ran
}

const story =
  'A keeper of a lighthouse finds a bottle with a letter that she wrote when she was a child.'
const csv = (rows: number) =>
  ['id,title,type,genres,year,synopsis']
    .concat(
      Array.from({ length: rows }, (_, i) => `${i + 1},Tide ${i},tv,Drama,2001,${story} ${i}.`),
    )
    .join('\n')

beforeAll(async () => {
  hub = await startHub()
  home = ready
  mkdirSync(ready)
  writeFileSync(at('mine.csv'), csv(30))
  for (const words of ['data init mine.csv', 'data import mine.json', 'embed build']) {
    const { code, text } = await call(words)
    expect(code, text).toBe(0)
  }
  writeTinyModel(join(scratch, 'tiny'), { dimension: 384 })
  hub.publish(repository, join(scratch, 'tiny'))
}, 120_000)
afterAll(async () => {
  await hub.close()
  rmSync(scratch, { recursive: true })
})
beforeEach(() => {
  home = join(scratch, `home ${homes++}`)
  cpSync(ready, home, { recursive: true })
})

/** Which source files a test below covers. */
const covered = new Set<string>()
const covers = (...files: string[]) => files.forEach((file) => covered.add(file))
const patient = { timeout: 240_000 }
const nightly = { ...patient, tags: ['nightly'] }

describe('a command that is printed runs', () => {
  covers('cli/data-import.ts', 'cli/data-init.ts')
  it('where no file is named, from the file to its import', patient, async () => {
    copyFileSync(at('mine.csv'), at('my list.csv'))
    const { code, text } = await call('data import')
    expect(code).toBe(2)
    const [written] = await follow(text, { FILE: "'my list.csv'" })
    const [imported] = await follow(written?.text ?? '')
    expect(imported?.text).toContain('anime: 30 entries')
  })

  covers('data/datasets/known/recognize.ts', 'data/datasets/known/recognize-csv.ts')
  it.each([
    ['nobody knows', 'my notes.csv', 'nr;titel;beschreibung\n1;Flut;' + story],
    ['is nearly known', 'mal.csv', 'mal_id,title,score,genres,synopsis\n1,Flut,7,Drama,' + story],
  ])('for a file that %s', nightly, async (_, name, content) => {
    writeFileSync(at(name), content)
    const { code, text } = await call(`data import '${name}'`)
    expect(code, text).toBe(1)
    await follow(text)
  })

  covers('cli/data-import-report.ts', 'cli/data-import-run.ts')
  it.each([
    ['are guessed', `name,plot,volumes\nTide,${story},3\n`, 0],
    ['are guessed badly', `name,plot,volumes\nTide,,3\nFlood,,4\nEbb,${story},5\n`, 2],
  ])('for a table whose columns %s', nightly, async (_, content, status) => {
    writeFileSync(at('my table.csv'), content)
    const { code, text } = await call("data import 'my table.csv'")
    expect(code, text).toBe(status)
    await follow(text, { FILE: "--force 'my table.csv'" })
  })

  covers('data/datasets/guess-mapping.ts')
  it('for a list of titles without texts', patient, async () => {
    writeFileSync(at('my titles.csv'), 'title,year\nTide,2001\nFlood,2002\n')
    const { code, text } = await call("data import 'my titles.csv'")
    expect(code, text).toBe(1)
    await follow(text)
  })

  it("for a person's list", nightly, async () => {
    const list =
      '<myanimelist><anime><series_animedb_id>1</series_animedb_id></anime></myanimelist>'
    writeFileSync(at('my list.xml'), list)
    const { text } = await call("data import 'my list.xml'")
    const [command] = commandsIn(text)
    const server = await startServer(`${command} --port 0 --workers 1`)
    expect(await server.stop()).toBe(0)
  })

  covers('base/errors/CatalogueError', 'base/errors/EmbeddingsMissingError')
  it('where there is no catalogue, and then no embeddings', patient, async () => {
    rmSync(at('my data'), { recursive: true })
    rmSync(at('vectors'), { recursive: true })
    const missing = await call('embed status')
    expect(missing.code).toBe(1)
    expect(missing.text).toContain('there is no catalogue')
    // The whole of the included works is imported by another test.
    const sample = missing.text.replaceAll('/data/works/', '/data/sample/')
    await follow(sample)
    const query = JSON.stringify({ description: 'a notebook that kills', title: 'Death Note' })
    writeFileSync(at('asked.jsonl'), query)
    const evaluate = 'eval --dataset anime --descriptions asked.jsonl --mode semantic'
    const unbuilt = await call(evaluate)
    expect(unbuilt.text).toContain('has no embeddings')
    await follow(unbuilt.text)
    expect((await call(evaluate)).code).toBe(0)
  })

  covers('base/errors/DatasetMissingError')
  it('where a dataset is not imported', nightly, async () => {
    const { code, text } = await call('eval --dataset manga')
    expect(code).toBe(1)
    const [imported] = await follow(text)
    expect(imported?.text).toMatch(/anime: 30 entries, unchanged/)
    expect(imported?.text).toMatch(/manga: \d{4} entries/)
  })

  covers('base/errors/EmbeddingsStaleError', 'data/embed/status.ts')
  it('where embeddings are older than the catalogue', patient, async () => {
    writeFileSync(at('mine.csv'), csv(31))
    await call('data import mine.json')
    const stale = await call('embed status')
    expect(stale).toMatchObject({ code: 1 })
    const refused = await call('eval')
    expect(refused.text).toContain('out of date')
    expect(commandsIn(refused.text)).toEqual(commandsIn(stale.text))
    await follow(refused.text)
    expect(await call('embed status')).toMatchObject({ code: 0 })
  })

  covers('base/errors/EmbeddingsBrokenError')
  it('where embeddings are damaged', nightly, async () => {
    const matrix = at('vectors/anime/builtin/static-en/synopsis.npy')
    writeFileSync(matrix, readFileSync(matrix).subarray(0, -100))
    const { code, text } = await call('eval')
    expect(code, text).toBe(1)
    await follow(text)
    expect(await call('eval')).toMatchObject({ code: 0 })
  })

  covers('base/errors/ModelNotInstalledError', 'cli/models-pull.ts', 'cli/models-list.ts')
  it('where a model is not installed, to its embeddings', nightly, async () => {
    const { code, text } = await call(`embed build --model ${model}`)
    expect(code).toBe(1)
    // Two ways: each in a place where nothing is installed.
    const [pull = '', add = ''] = commandsIn(text, { FOLDER: `'${join(scratch, 'tiny')}'` })
    for (const command of [pull, add]) {
      const installed = await shell(command)
      expect(installed.code, `${command}\n${installed.text}`).toBe(0)
      await follow(installed.text)
      rmSync(at('models'), { recursive: true })
    }
  })

  covers('cli/model-name.ts')
  it('for a model of a name that nobody knows', nightly, async () => {
    const { code, text } = await call('embed build --model mine/model')
    expect(code).toBe(2)
    await follow(text, { FOLDER: `'${join(scratch, 'tiny')}'`, NAME: 'mine/model' })
  })

  covers('models/tools/pull.ts')
  it('for a model that no hub has', nightly, async () => {
    const { code, text } = await call('models pull encoders/fine_tuned_sbert_anime_model')
    expect(code, text).toBe(1)
    writeTinyModel(join(scratch, 'fine'), { dimension: 768 })
    await follow(text, { FOLDER: `'${join(scratch, 'fine')}'` })
  })

  covers('cli/models-check.ts')
  it('where a file of a model has changed', nightly, async () => {
    expect(await call(`models pull ${model}`)).toMatchObject({ code: 0 })
    writeFileSync(at('models', model, 'tokenizer_config.json'), '{ "pad_token": "[PAD]" }')
    const { code, text } = await call(`models check ${model}`)
    expect(code, text).toBe(1)
    await follow(text)
    expect(await call(`models check ${model}`)).toMatchObject({ code: 0 })
  })

  covers('search/ranking/search-encoder.ts')
  it('where the encoder of /search is not installed', nightly, async () => {
    const known = 'encoders/all-MiniLM-L6-v2'
    const { revision } = resolveModel(known, { modelsDir: 'models' })
    hub.publish('sentence-transformers/all-MiniLM-L6-v2', join(scratch, 'tiny'), revision)
    const { code, text } = await call(`serve --port 0 --search-encoder ${known}`)
    expect(code).toBe(2)
    const [pulled] = await follow(text)
    await follow(pulled?.text ?? '')
  })

  covers('data/embed/build.ts')
  it('where embeddings of other software lack texts', nightly, async () => {
    const columns = mergedColumns()
    const write = (rows: number) => {
      const lines = Array.from({ length: rows }, (_, i) => [
        `${i + 1}`,
        `Tide ${i}`,
        `${i} ${story}`,
      ])
      const cells = lines.map((line) => columns.map((_, column) => line[column] ?? '').join(','))
      writeFileSync(at('merged_anime_dataset.csv'), [columns.join(','), ...cells].join('\n'))
    }
    const mapping = join(program, '..', 'data/sources/merged-anime.json')
    const build = async (rows: number) => {
      write(rows)
      const words = `data import '${mapping}' --from . --works off`
      expect(await call(words)).toMatchObject({ code: 0 })
      expect(await call('embed build')).toMatchObject({ code: 0 })
    }
    await build(3)
    mkdirSync(at('old'))
    const matrix = at('vectors/anime/builtin/static-en/synopsis.npy')
    copyFileSync(matrix, at('old/embeddings_synopsis.npy'))
    await build(4)
    write(3)
    const words =
      'embed import old --csv merged_anime_dataset.csv --dataset anime --model static-en'
    const { code, text: told } = await call(words)
    expect(code, told).toBe(1)
    const [imported] = await follow(told, { FOLDER: '.' })
    expect(imported?.text).toContain('anime: 3 entries')
  })
})

/** All columns that the mapping reads: the id, the title, the first text, and the rest. */
function mergedColumns(): string[] {
  const mapping = JSON.parse(
    readFileSync(join(program, '..', 'data/sources/merged-anime.json'), 'utf8'),
  ) as { fields: Record<string, string | string[]>; texts: Record<string, string> }
  const { id, title, ...fields } = mapping.fields
  const [first, ...texts] = Object.values(mapping.texts)
  return [id, title, first, ...Object.values(fields), ...texts]
    .flat()
    .filter((name) => name !== undefined)
}

describe('a command that a server prints runs', () => {
  covers('server/serve/import-works.ts')
  it('at its first start, and in its banner', nightly, async () => {
    rmSync(at('my data'), { recursive: true })
    const server = await startServer(`'${program}' serve --port 0 --workers 1 ${folders}`)
    try {
      const text = await server.said(/your own data/)
      await follow(text, { FILE: 'mine.csv --into other.json' })
      await askAll(text)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  it('that asks what the own catalogue has, of the dataset that it has', nightly, async () => {
    rmSync(at('my data'), { recursive: true })
    writeFileSync(
      at('mine.csv'),
      `${csv(3).replace('year', 'volumes,year').replaceAll(',2001', ',1,2001').replaceAll(',tv,', ',manga,')}\n`,
    )
    expect(await call('data init mine.csv --force')).toMatchObject({ code: 0 })
    expect(await call('data import mine.json')).toMatchObject({ code: 0 })
    expect(await call('embed build')).toMatchObject({ code: 0 })
    const server = await startServer(`'${program}' serve --port 0 --workers 1 ${folders}`)
    try {
      const text = await server.said(/is ready/)
      expect(text).toContain('manga: 3 entries, 1 synopsis column, searched by')
      expect(text).toContain('/searchmodel/manga')
      expect(text).toContain('/search/manga')
      expect(text).toMatch(/A keeper of a lighthouse finds a bottle/)
      await askAll(text)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  covers(
    'search/composition/inventory.ts',
    'search/index/store.ts',
    'server/serve/health-report.ts',
  )
  it('where it cannot search any more', nightly, async () => {
    const server = await startServer(`'${program}' serve --port 0 --workers 1 ${folders}`)
    try {
      writeFileSync(at('mine.csv'), csv(32))
      await call('data import mine.json')
      server.child.kill('SIGHUP')
      const text = await server.said(/the reload failed[^]*\n/)
      await follow(text)
      server.child.kill('SIGHUP')
      await server.said(/"msg":"reloaded"/)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  it('where it starts without embeddings', patient, async () => {
    rmSync(at('vectors'), { recursive: true })
    const server = await startServer(`'${program}' serve --port 0 --workers 1 ${folders}`)
    try {
      const text = await server.said(/To fix it, run/)
      // What the API answers is read elsewhere too: no path is in it, and the user's shell has to know the program.
      const [, origin] = /is ready at (\S+)/.exec(text) ?? []
      const health = await (
        await fetch(`${origin}/`, { headers: { accept: 'application/json' } })
      ).text()
      const bin = at('bin')
      mkdirSync(bin)
      symlinkSync(program, join(bin, 'synoptic'))
      const [command = ''] = commandsIn(health.replaceAll('"', '`'))
      expect(command).toMatch(/^synoptic embed build/)
      const env = {
        PATH: `${bin}:${process.env.PATH}`,
        SYNOPTIC_DATA_DIR: 'my data',
        SYNOPTIC_EMBEDDINGS_DIR: 'vectors',
      }
      expect(await shell(command, env)).toMatchObject({ code: 0 })
      await follow(text)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })
})

/** The requests of a banner, which all find something. */
async function askAll(text: string): Promise<void> {
  const requests = [...text.matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']) => line)
  expect(requests).toHaveLength(2)
  for (const request of requests) {
    const answer = await shell(`${request} -sf`)
    expect(answer.code, request).toBe(0)
    expect(answer.text).toMatch(/"results":\[\{/)
  }
}

describe('the program is named as the user called it', () => {
  const missing = async (program: string, env: Record<string, string> = {}) => {
    rmSync(at('vectors'), { recursive: true, force: true })
    const { text } = await shell(`${program} eval`, env)
    const [command = ''] = commandsIn(text)
    expect((await shell(command, env)).code, command).toBe(0)
    return command
  }

  it('npx synoptic', nightly, async () => {
    mkdirSync(at('node_modules/.bin'), { recursive: true })
    writeFileSync(at('package.json'), '{}')
    symlinkSync(program, at('node_modules/.bin/synoptic'))
    const env = { SYNOPTIC_DATA_DIR: 'my data', SYNOPTIC_EMBEDDINGS_DIR: 'vectors' }
    const command = await missing('npx --no-install synoptic', env)
    expect(command).toMatch(
      /^npx synoptic embed build --data-dir 'my data' --embeddings-dir vectors/,
    )
  })

  it('synoptic, with a configuration file', patient, async () => {
    mkdirSync(at('bin'))
    symlinkSync(program, at('bin/synoptic'))
    writeFileSync(at('my settings.json'), '{"dataDir":"my data","embeddingsDir":"vectors"}')
    const env = { PATH: `${at('bin')}:${process.env.PATH}`, SYNOPTIC_CONFIG: 'my settings.json' }
    const command = await missing('synoptic', env)
    expect(command).toMatch(/^synoptic embed build --config 'my settings.json'/)
  })
})

describe('no source file prints a command that is not run here', () => {
  /** With the reason. */
  const elsewhere: Readonly<Record<string, string>> = {
    'cli/models-quantize.ts':
      'as models pull; test/model-tools/python.test.ts runs it where Python is',
    'models/tools/needed-files.ts': 'models export needs Python: test/model-tools/python.test.ts',
    'base/errors/DimensionMismatchError': 'a race of builds: test/search/service.test.ts',
    'base/errors/TextVectorsError':
      'no model that gives NaN can be installed: test/embed/build.test.ts',
    'server/http/routes/feedback.ts': 'the documentation of a route',
    'server/http/routes/map.ts': 'the documentation of a route',
    'server/http/openapi/problems.ts': 'the documentation of problems',
    'base/errors/MapMissingError': 'test/map/maps.test.ts makes the map that is missing',
    'base/errors/IndexMismatchError': 'needs OpenSearch: test/opensearch/serving.ts',
    'cli/ranker-fit.ts': 'needs 300 queries: test/eval/queries.test.ts',
    'cli/cuda-report.ts': 'fetches from an index: test/model-tools/cuda-install.test.ts',
    'native/addon/addon.ts': 'compiles for minutes: test/library/npm.test.ts',
    'base/util/sqlite.ts':
      'compiles for minutes: test/util/sqlite.test.ts and test/library/npm.test.ts',
  }

  it('but for a few', () => {
    const files = new Set(
      hintsOfSources()
        .filter(({ isText }) => !isText)
        .map(({ file }) => file),
    )
    expect([...files].filter((file) => !covered.has(file)).sort()).toEqual(
      Object.keys(elsewhere).sort(),
    )
  })
})
