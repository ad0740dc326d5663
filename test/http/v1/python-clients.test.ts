/** The clients of PyPI, by SYNOPTIC_TEST_CLIENTS_PYTHON: openai, cohere, langchain, litellm and huggingface_hub. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Embeddings, openV1Scene, vectorsOf } from './scene.js'

const python = process.env.SYNOPTIC_TEST_CLIENTS_PYTHON
if (python === undefined) console.warn('skipped: set SYNOPTIC_TEST_CLIENTS_PYTHON')

// It stops its server after the file's tests, so it is opened outside of them.
const scene = python === undefined ? undefined : await openV1Scene()

test.skipIf(python === undefined)('take the server for the one that they know', async () => {
  if (scene === undefined) return
  const { origin, post, json } = scene
  const model = 'builtin/static-en'
  const input = ['a robot goes to school', 'a ship at sea']
  const expected = vectorsOf(await json<Embeddings>(post('/v1/embeddings', { model, input })))
  const script = fileURLToPath(new URL('python_clients.py', import.meta.url))
  const { stdout } = await promisify(execFile)(python ?? '', [script, origin, model])
  const results = JSON.parse(stdout) as Record<string, unknown>
  const rounded = (vectors: unknown) =>
    (vectors as number[][]).map((vector) => vector.map(Math.fround))
  const withVectors = [
    'openai',
    'openai_float',
    'langchain',
    'hub',
    'hub_root',
    'cohere_embed',
    'cohere_embed_older',
    'langchain_cohere',
    'litellm_infinity',
    'litellm_vllm',
  ]
  for (const client of withVectors) {
    expect(rounded(results[client]), client).toEqual(rounded(expected))
  }
  expect(rounded([results.langchain_query])).toEqual(rounded(expected.slice(0, 1)))
  expect(results).toMatchObject({
    tokens: 9,
    models: expect.arrayContaining([model, 'builtin/maxsim-en']) as string[],
    model,
    missing: [404, 'model_not_found', 'model'],
    dimensions: [400, 'invalid_request', 'dimensions'],
    cohere: [1, 0],
    langchain_cohere_rerank: [1, 0],
    litellm_infinity_rerank: [1, 0],
    litellm_vllm_rerank: [1, 0],
    cohere_older: ['A robot becomes a pupil of a school.'],
  })
})

test.skipIf(python === undefined)('pass the standard tests of langchain', async () => {
  if (scene === undefined) return
  const file = fileURLToPath(new URL('langchain_standard.py', import.meta.url))
  const { stdout } = await promisify(execFile)(
    python ?? '',
    ['-m', 'pytest', '-q', '-o', 'asyncio_mode=auto', file],
    {
      env: { ...process.env, SYNOPTIC_ORIGIN: scene.origin },
    },
  )
  expect(stdout).toMatch(/\b10 passed/)
})
