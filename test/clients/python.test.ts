/** clients/python against servers that the command started, by the Python in SYNOPTIC_TEST_CLIENTS_PYTHON. */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { addKey, allRoutes, openClientScene } from './scene.js'

const python = process.env.SYNOPTIC_TEST_CLIENTS_PYTHON ?? ''
const needed = 'import httpx, pydantic, tenacity, typing_extensions'
const isThere = python !== '' && spawnSync(python, ['-c', needed]).status === 0
if (!isThere) console.warn('skipped: SYNOPTIC_TEST_CLIENTS_PYTHON names no Python with httpx')

const script = fileURLToPath(new URL('python_client.py', import.meta.url))
const PYTHONPATH = fileURLToPath(new URL('../../clients/python/src', import.meta.url))
const limited = ['RateLimitedError', 429, 'rate-limited'] as const

// It stops its servers after the file's tests, so it is opened outside of them.
const scene = isThere ? await openClientScene() : undefined

it.skipIf(!isThere)('calls, pages, waits and fails, at once and awaited', async () => {
  if (scene === undefined) return
  const apiKey = addKey(scene.folder)
  const rate = (perSecond: string) => ['--rate-limit', perSecond, '--rate-limit-loopback']
  const origins = [
    await scene.start([...allRoutes, '--rate-limit', '0']),
    await scene.start(rate('0.5')),
    await scene.start(rate('0.001')),
    await scene.start(['--api-keys', 'keys.json', '--rate-limit', '0']),
    await scene.start(['--limit-concurrency', '1']),
  ]
  const [, , slow = ''] = origins
  const body = { model: 'static-en', description: 'a boy' }
  const headers = { 'content-type': 'application/json' }
  const used = { method: 'POST', headers, body: JSON.stringify(body) }
  expect((await fetch(`${slow}/searchmodel/anime`, used)).status).toBe(200)

  const env = { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await promisify(execFile)(python, [script, ...origins, apiKey], { env })
  const answers = {
    search: [3, true],
    each: ['Death Note', 'queries.1'],
    model_each: ['descriptions.0', 10, 'builtin/static-en'],
    lexical: ['lexical', null],
    entry: ['Death Note', true],
    similar: 2,
    facets: true,
    models: true,
    model: true,
    health: 'ok',
    pages: true,
    ranked_pages: 100,
    similar_pages: true,
    invalid: ['InvalidRequestError', 400, 'invalid-request', ['num_results'], null],
    missing: ['NotFoundError', 404, 'not-found', [], null],
    failed: ['NotFoundError', 404, 'model-not-installed', [], null],
    keyless: ['AccessError', 401, 'unauthorized', [], null],
    key: 5,
    written: ['put', 'patch', 'delete', 'delete'],
    tasks: true,
    task: 1,
    unreachable: true,
    patient: [429, 200],
    batch: [10, 10],
    hasty: [...limited, [], true],
    tries: [429],
  }
  const expected = { sync: answers, async: answers, together: 2, left: true, crowd: [3, 200] }
  expect(JSON.parse(stdout)).toEqual(expected)
})
