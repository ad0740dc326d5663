/** The clients of PyPI: openai, langchain-openai, cohere and huggingface_hub, by SYNOPTIC_TEST_CLIENTS_PYTHON. */
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
  const told = JSON.parse(stdout) as Record<string, unknown>
  const rounded = (vectors: unknown) =>
    (vectors as number[][]).map((vector) => vector.map(Math.fround))
  for (const client of ['openai', 'openai_float', 'langchain', 'hub']) {
    expect(rounded(told[client]), client).toEqual(rounded(expected))
  }
  expect(rounded([told.langchain_query])).toEqual(rounded(expected.slice(0, 1)))
  expect(told).toMatchObject({
    tokens: 9,
    models: expect.arrayContaining([model, 'builtin/maxsim-en']) as string[],
    model,
    missing: [404, 'model_not_found', 'model'],
    dimensions: [400, 'invalid_request', 'dimensions'],
    cohere: [1, 0],
    cohere_older: ['A robot becomes a pupil of a school.'],
  })
})
