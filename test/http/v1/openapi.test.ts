/** What /openapi.json says of the routes of v1 holds of the server. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import type { OpenApi } from '../openapi-document.js'
import { compile, operationOf } from '../openapi-document.js'
import { sharedV1Scene } from './scene.js'

const { post, get, json } = await sharedV1Scene()
const document = await json<OpenApi>(get('/openapi.json'))
const paths = [
  '/v1/embeddings',
  '/embeddings',
  '/v1/embed',
  '/v2/embed',
  '/v1/models',
  '/v1/models/{id}',
  '/v1/rerank',
  '/v2/rerank',
  '/embed',
  '/rerank',
  '/similarity',
  '/tokenize',
  '/info',
]
const posts = paths.filter((path) => document.paths[path]?.post !== undefined)
const gets = paths.filter((path) => document.paths[path]?.get !== undefined)

/** Everything that the document says of an answer holds of this one. */
async function expectDocumented(response: Response, path: string, method: string): Promise<void> {
  const answer = operationOf(document, path, method).responses[response.status]
  if (answer === undefined) throw new Error(`${response.status} of ${path} is not documented`)
  for (const name of Object.keys(answer.headers)) expect(response.headers.has(name)).toBe(true)
  const content = answer.content['application/json']
  if (content === undefined) throw new Error(`${response.status} of ${path} is no JSON`)
  expect(response.headers.get('content-type')?.split(';')[0]).toBe('application/json')
  const validate = compile(document, content.schema)
  validate(await response.json())
  expect(validate.errors).toBeNull()
}

it('lists all of them in a sound document', async () => {
  expect([...posts, ...gets].toSorted()).toEqual(paths.toSorted())
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

it.each(Object.keys(document.components.schemas))('%s is a strict JSON Schema', (name) => {
  compile(document, { $ref: `#/components/schemas/${name}` })
})

it.each(gets)('GET %s answers as documented', async (path) => {
  const response = await get(path.replace('{id}', 'builtin/static-en'))
  expect(response.status).toBe(200)
  await expectDocumented(response, path, 'get')
})

it('GET /v1/models/{id} does not know a model as documented', async () => {
  const response = await get('/v1/models/gpt')
  expect(response.status).toBe(404)
  await expectDocumented(response, '/v1/models/{id}', 'get')
})

describe.each(posts)('POST %s', (path) => {
  const body = operationOf(document, path, 'post').requestBody?.content['application/json']
  const [example] = Object.values(body?.examples ?? {})

  it('answers its example as documented', async () => {
    expect(compile(document, body?.schema ?? {})(example?.value)).toBe(true)
    const response = await post(path, example?.value)
    expect(response.status).toBe(200)
    await expectDocumented(response, path, 'post')
  })

  it.each([
    ['no member', {}, 400],
    ['an unknown model', { ...example?.value, model: 'gpt' }, 404],
    ['a body beyond the limit', 'x'.repeat(8_388_609), 413],
  ])('refuses %s as documented', async (_, wrong, status) => {
    const response = await post(path, wrong)
    expect(response.status).toBe(status)
    await expectDocumented(response, path, 'post')
  })

  it('refuses another type as documented', async () => {
    const response = await post(path, '{}', { 'content-type': 'text/plain' })
    expect(response.status).toBe(415)
    await expectDocumented(response, path, 'post')
  })

  it('shows the errors of its family', () => {
    const { responses } = operationOf(document, path, 'post')
    for (const [status, { content }] of Object.entries(responses)) {
      for (const { schema, examples = {} } of Object.values(content)) {
        const validate = compile(document, schema)
        for (const { value } of Object.values(examples) as { value?: unknown }[]) {
          if (value === undefined) continue
          validate(value)
          expect(validate.errors, status).toBeNull()
        }
      }
    }
  })
})

describe('the schema of the request and the server agree', () => {
  const inputs = [
    'a',
    ['a'],
    [101, 5, 102],
    [[101, 5, 102]],
    '',
    [],
    [[]],
    ['a', ''],
    [1.5],
    [-1],
    5,
    {},
  ]
  it.each(inputs.map((input) => ({ input })))('input $input', async ({ input }) => {
    const schema = operationOf(document, '/v1/embeddings', 'post').requestBody?.content[
      'application/json'
    ].schema
    const { status } = await post('/v1/embeddings', { input })
    expect(compile(document, schema ?? {})({ input })).toBe(status === 200)
  })
})
