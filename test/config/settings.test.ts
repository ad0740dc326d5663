import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commonSettings, serverSettings } from '#synoptic/base/config/settings.js'
import { settingsHelp } from '#synoptic/base/config/help.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { SettingsError } from '#synoptic/base/errors/index.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-config-'))
afterAll(() => rmSync(scratch, { recursive: true }))

type Environment = Record<string, string>
const read = (words: string[], environment: Environment = {}) =>
  readSettings(serverSettings, words, environment)

function problems(words: string[], environment: Environment = {}): readonly string[] {
  try {
    read(words, environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

function configFile(content: unknown): string {
  const file = join(scratch, `${Math.random()}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('settings', () => {
  it('have the documented defaults', () => {
    expect(read([]).settings).toMatchObject({
      host: '127.0.0.1',
      port: 8000,
      workers: Math.max(1, Math.floor(availableParallelism() / 2)),
      limitConcurrency: 50,
      timeout: 30,
      allowedHosts: ['none'],
      corsOrigins: ['auto'],
      corsMethods: ['*'],
      corsHeaders: ['*'],
      enableRoutes: ['all'],
      rateLimit: { searchmodel: 1 },
      logQueries: false,
      idleTimeout: 300,
      rateLimitLoopback: false,
      rateStore: 'memory',
      trustProxy: 0,
      gpuMemoryLimit: { kind: 'auto' },
      logFile: './logs/api.log',
    })
  })

  it.each([
    ['0', { searchmodel: 0 }],
    ['2.5', { searchmodel: 2.5 }],
    ['search=0.5', { searchmodel: 1, search: 0.5 }],
    [' searchmodel=2 , search=0.5,docs=0', { searchmodel: 2, search: 0.5, docs: 0 }],
  ])('--rate-limit %j is %j', (value, rateLimit) => {
    expect(read(['--rate-limit', value]).settings.rateLimit).toEqual(rateLimit)
  })

  it.each([
    ['none', {}],
    ['a=builtin/static-en', { a: 'builtin/static-en' }],
    [
      'text-embedding-3-small=b/c, rerank-v3.5=d',
      { 'text-embedding-3-small': 'b/c', 'rerank-v3.5': 'd' },
    ],
  ])('--model-alias %j is %j', (value, aliases) => {
    expect(read(['--model-alias', value]).settings.modelAlias).toEqual(aliases)
  })

  it.each(['', 'a', 'a=', '=b', 'a=b=c', 'a=b,a=c', 'a=b c', 'none,a=b'])(
    '--model-alias %j is refused',
    (value) => {
      expect(problems(['--model-alias', value]).join()).toContain(
        'expected none, or a list of names',
      )
    },
  )

  it.each([
    ['2', 2],
    ['10.0.0.0/8,::1', ['10.0.0.0/8', '::1']],
    ['::ffff:10.0.0.1, 2001:db8::/32', ['::ffff:10.0.0.1', '2001:db8::/32']],
  ])('--trust-proxy %j is %j', (value, trustProxy) => {
    expect(read(['--trust-proxy', value]).settings.trustProxy).toEqual(trustProxy)
  })

  it('may be lists and numbers in the file, too', () => {
    const file = configFile({ rateLimit: ['search=2'], trustProxy: ['10.0.0.1'], logQueries: true })
    expect(read(['--config', file]).settings).toMatchObject({
      rateLimit: { searchmodel: 1, search: 2 },
      trustProxy: ['10.0.0.1'],
      logQueries: true,
    })
    const numbers = configFile({ rateLimit: 3, trustProxy: 1, logQueries: false })
    expect(read(['--config', numbers]).settings).toMatchObject({
      rateLimit: { searchmodel: 3 },
      trustProxy: 1,
      logQueries: false,
    })
  })

  it('that are switches are on where they are named, and take a value all the same', () => {
    const { settings, rest } = read(['--log-queries', '--port', '3', 'word'])
    expect(settings).toMatchObject({ logQueries: true, port: 3 })
    expect(rest).toEqual(['word'])
    expect(read(['--log-queries=false']).settings.logQueries).toBe(false)
    expect(read([], { SYNOPTIC_LOG_QUERIES: '1' }).settings.logQueries).toBe(true)
    expect(read(['--log-queries=0'], { SYNOPTIC_LOG_QUERIES: '1' }).settings.logQueries).toBe(false)
  })

  it('come from the flag, else the environment, else the file, else the default', () => {
    const file = configFile({ port: 1, timeout: 1, limitConcurrency: 1 })
    const environment = { SYNOPTIC_CONFIG: file, SYNOPTIC_PORT: '2', SYNOPTIC_TIMEOUT: '2' }
    const { settings } = read(['--port', '3'], environment)
    expect(settings).toMatchObject({
      port: 3,
      timeout: 2,
      limitConcurrency: 1,
      rateLimit: { searchmodel: 1 },
    })
  })

  it('are flags in either spelling, wherever they stand; the last one counts', () => {
    const { settings, rest } = read([
      'first',
      '--port=1',
      '-x',
      '--host',
      '::1',
      '--port',
      '2',
      '--',
      '--port',
    ])
    expect(settings).toMatchObject({ port: 2, host: '::1' })
    expect(rest).toEqual(['first', '-x', '--', '--port'])
  })

  it('leave alone what a command of fewer settings takes itself', () => {
    const words = ['--data-dir', 'd', '--port', '1', '--threads=4']
    const { settings, rest } = readSettings(commonSettings, words, { SYNOPTIC_PORT: 'bad' })
    expect(settings).toEqual({
      home: '',
      dataDir: 'd',
      embeddingsDir: join('d', 'embeddings'),
      modelsDir: 'models',
    })
    expect(rest).toEqual(['--port', '1', '--threads=4'])
  })

  it('share one file among commands', () => {
    const file = configFile({ port: 1, dataDir: 'd' })
    const known = Object.keys(serverSettings)
    const { settings } = readSettings(commonSettings, ['--config', file], {}, known)
    expect(settings.dataDir).toBe('d')
  })

  it('take lists as words with commas, or as arrays', () => {
    const file = configFile({ corsOrigins: ['https://a.example', 'http://localhost:3000'] })
    expect(read(['--config', file]).settings.corsOrigins).toHaveLength(2)
    const flags = ['--cors-methods', 'GET, POST', '--enable-routes=health']
    expect(read(flags).settings).toMatchObject({
      corsMethods: ['GET', 'POST'],
      enableRoutes: ['health'],
    })
  })

  it.each([
    ['auto', { kind: 'auto' }],
    ['0', { kind: 'bytes', value: 0 }],
    ['8589934592', { kind: 'bytes', value: 8_589_934_592 }],
    ['12.5%', { kind: 'percent', value: 12.5 }],
    ['100%', { kind: 'percent', value: 100 }],
  ])('take %s for a limit of device memory', (word, limit) => {
    expect(read(['--gpu-memory-limit', word]).settings.gpuMemoryLimit).toEqual(limit)
  })

  it('take an empty environment variable as not set', () => {
    expect(read([], { SYNOPTIC_PORT: '' }).settings.port).toBe(8000)
  })

  it('are all in the help, with flag, default, variable and sentence', () => {
    const help = settingsHelp(serverSettings)
    for (const [name, { default: fallback, help: sentence }] of Object.entries(serverSettings)) {
      expect(help).toContain(sentence)
      expect(help).toContain(String(fallback))
      expect(sentence, name).toMatch(/^[A-Z].*\.$/)
    }
    expect(help).toContain('--limit-concurrency <n>')
    expect(help).toContain('SYNOPTIC_LIMIT_CONCURRENCY')
  })
})

describe('a home', () => {
  const places = (words: string[], environment: Environment = {}) => {
    const { dataDir, embeddingsDir, modelsDir, logFile, apiKeys } = read(
      words,
      environment,
    ).settings
    return { dataDir, embeddingsDir, modelsDir, logFile, apiKeys }
  }

  it('holds everything, and needs keys only if it has some', () => {
    const home = mkdtempSync(join(scratch, 'home-'))
    const inside = {
      dataDir: join(home, 'data'),
      embeddingsDir: join(home, 'embeddings'),
      modelsDir: join(home, 'models'),
      logFile: join(home, 'logs', 'api.log'),
    }
    expect(places(['--home', home])).toEqual({ ...inside, apiKeys: 'none' })
    expect(places([], { SYNOPTIC_HOME: home })).toMatchObject(inside)
    writeFileSync(join(home, 'keys.json'), '{}')
    expect(places(['--home', home]).apiKeys).toBe(join(home, 'keys.json'))
  })

  it('leaves alone what has a place of its own', () => {
    const { dataDir, modelsDir } = places(['--home', 'h', '--models-dir', 'm'])
    expect([dataDir, modelsDir]).toEqual([join('h', 'data'), 'm'])
  })

  it('is not needed for embeddings next to data of their own', () => {
    expect(places(['--data-dir', 'd']).embeddingsDir).toBe(join('d', 'embeddings'))
    expect(places(['--data-dir', 'data']).embeddingsDir).toBe('embeddings')
    expect(places(['--home', 'h', '--data-dir', 'd']).embeddingsDir).toBe(join('d', 'embeddings'))
    expect(places(['--data-dir', 'd', '--embeddings-dir', 'e']).embeddingsDir).toBe('e')
  })
})

describe('settings refuse', () => {
  it.each<string[]>([
    ['--port', 'x', 'an integer from 0 to 65535'],
    ['--port', '65536', 'an integer from 0 to 65535'],
    ['--port', '1.5', 'an integer from 0 to 65535'],
    ['--port', '', 'an integer from 0 to 65535'],
    ['--port', '0x10', 'an integer from 0 to 65535'],
    ['--port', '1e3', 'an integer from 0 to 65535'],
    ['--host', ' ', 'text'],
    ['--gpu-memory-limit', '101%', 'auto, a number of bytes, or a percentage'],
    ['--gpu-memory-limit', '-1', 'auto, a number of bytes, or a percentage'],
    ['--gpu-memory-limit', '1.5', 'auto, a number of bytes, or a percentage'],
    ['--gpu-memory-limit', '8GB', 'auto, a number of bytes, or a percentage'],
    ['--gpu-memory-limit', '', 'auto, a number of bytes, or a percentage'],
    ['--workers', '0', 'an integer from 1 to 1024'],
    ['--limit-concurrency', '0', 'an integer from 1'],
    ['--timeout', '-1', 'a number from 1 to 86400'],
    ['--request-timeout', '0', 'a number from 0.1'],
    ['--body-limit', '1', 'an integer from 1024'],
    ['--cors-origins', 'https://example.org/', 'origins such as'],
    ['--cors-origins', 'example.org', 'origins such as'],
    ['--allowed-hosts', 'https://example.org', 'none, or host names such as'],
    ['--allowed-hosts', 'example.org:80', 'none, or host names such as'],
    ['--cors-origins', ',', 'origins such as'],
    ['--cors-methods', 'GET POST', 'HTTP methods'],
    ['--cors-headers', 'a:b', 'header names'],
    [
      '--enable-routes',
      'helth',
      'all, or a list of searchmodel, search, similar, browse, page, writes, map, feedback, models, v1, mcp, docs, health',
    ],
    ...['-1', 'NaN', '1000001', ',', 'search', 'search=', 'search=x', 'search=-1', 'serch=1'].map(
      (value) => ['--rate-limit', value, 'a number from 0'],
    ),
    ...['search=1=2', 'search=1,search=2', '1,search=2', '=1', 'search=1;models=2'].map((value) => [
      '--rate-limit',
      value,
      'a number from 0',
    ]),
    ...['-1', '17', '1.5'].map((value) => ['--trust-proxy', value, 'an integer from 0 to 16']),
    ...['yes', ',', '10.0.0', '10.0.0.256', '10.0.0.0/33', '10.0.0.0/'].map((value) => [
      '--trust-proxy',
      value,
      'a number of proxies (0 to 16), or addresses',
    ]),
    ...['::1/129', '::1/8/8', ':::', 'fe80::1%eth0', '[::1]', '10.0.0.1:80', '1,10.0.0.1'].map(
      (value) => ['--trust-proxy', value, 'a number of proxies (0 to 16), or addresses'],
    ),
    ['--log-queries', 'yes', 'true, false, 1 or 0'],
    ['--log-level', 'loud', 'one of trace, debug, info'],
    ['--data-dir', '', 'a path'],
  ])('%s %j', (flag = '', value = '', expected = '') => {
    const [problem, ...others] = problems([`${flag}=${value}`])
    expect(problem?.startsWith(`${flag}: expected ${expected}`)).toBe(true)
    expect(problem).toContain(`received ${JSON.stringify(value)}`)
    expect(others).toEqual([])
  })

  it('an address without telling its password', () => {
    const [problem = ''] = problems(['--rate-store', 'http://me:secret@example.org'])
    expect(problem).toMatch(/^--rate-store: expected memory, or an address such as redis:/)
    expect(problem).toContain('http://…@example.org')
    expect(problem).not.toContain('secret')
  })

  it('every bad value at once, each by the name under which it was given', () => {
    const file = configFile({ timeout: 'soon', limitConcurrncy: 3 })
    const found = problems(['--port', 'x', '--config', file], { SYNOPTIC_RATE_LIMIT: 'much' })
    expect(found).toHaveLength(4)
    expect(found.join('\n')).toContain('--port: expected')
    expect(found.join('\n')).toContain('SYNOPTIC_RATE_LIMIT: expected')
    expect(found.join('\n')).toContain(`timeout in ${file}: expected`)
    expect(found.join('\n')).toContain('unknown setting; did you mean limitConcurrency?')
  })

  it.each([
    ['a flag without its value', ['--port']],
    ['a flag whose value is the next flag', ['--port', '--host']],
    ['an empty --config', ['--config=']],
    ['a file that is not there', ['--config', join(scratch, 'absent.json')]],
    ['a file that is no JSON', ['--config', configFile('{')]],
    ['a file that holds no object', ['--config', configFile([1])]],
    ['a file that holds null', ['--config', configFile('null')]],
  ])('%s', (_, words) => {
    expect(problems(words)).toHaveLength(1)
  })
})
