/** What the document's schemas take, the server takes, and what they refuse, it refuses. */
import { describe, expect, it } from 'vitest'
import { createWorld } from '../search/world.js'
import { createTestApp, post } from './harness.js'
import { compile, operationOf, readOpenApi, type Json } from './openapi-document.js'
import { WordRanker } from './word-ranker.js'

const test = createTestApp({}, { rankedSearch: new WordRanker(createWorld().catalogue) })
const document = await readOpenApi(test)

describe('the schemas agree with the server', () => {
  const bodies: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
    '/searchmodel/anime': {
      description: ['x', ' x ', '', ' ', '\n\u3000', 'x'.repeat(2000), 'x'.repeat(2001), 7, null],
      model: ['test/words', 'Test/words', '', null, 7],
      page: [1, 2, 10_000, 0, -1, 10_001, 1.5, 1.0, '1', null, true, [1]],
      resultsPerPage: [1, 100, 0, 101, 2.5, '10', {}],
    },
    '/search/manga': {
      query: ['x', '😀'.repeat(2000), '😀'.repeat(2001), '', '\t', ['x'], null],
      num_results: [1, 100, 0, 101, 1.5, '5', null],
      batch_size: [8, 512, 7, 513, 32.5, '32', null],
    },
  }
  const sound: Readonly<Record<string, Json>> = {
    '/searchmodel/anime': { model: 'test/words', description: 'robot', resultsPerPage: 1 },
    '/search/manga': { query: 'robot' },
  }
  const changes = Object.entries(bodies).flatMap(([path, members]) =>
    Object.entries(members).flatMap(([member, values]) =>
      [undefined, ...values].map((value) => ({ path, member, value })),
    ),
  )

  it.each(changes)('$path with $member $value', async ({ path, member, value }) => {
    const schema = operationOf(document, path, 'post').requestBody?.content['application/json']
      .schema
    const body = JSON.parse(JSON.stringify({ ...sound[path], [member]: value })) as Json
    const { status } = await post(test, path, body)
    expect(compile(document, schema ?? {})(body)).toBe(status === 200)
  })

  it.each(['lexical', 'semantic', undefined])('a model is needed in the mode %s', async (mode) => {
    const schema = operationOf(document, '/searchmodel/anime', 'post').requestBody?.content[
      'application/json'
    ].schema
    const body = JSON.parse(JSON.stringify({ description: 'robot', mode })) as Json
    const { status } = await post(test, '/searchmodel/anime', body)
    expect(status).toBe(mode === 'lexical' ? 200 : 400)
    expect(compile(document, schema ?? {})(body)).toBe(status === 200)
  })

  it.each([
    ['device', ['cpu', 'cuda', 'cuda:3', 'gpu', 'cuda:', 'CPU', '']],
    ['include_light_novels', [true, false]],
    ['candidates', [1, 10_000, 'all', 0, 10_001, 1.5, 'some']],
    ['model_name', ['words', '']],
  ])('the parameter %s', async (name, values) => {
    const { parameters = [] } = operationOf(document, '/search/anime', 'post')
    const parameter = parameters.find((candidate) => candidate.name === name)
    expect(parameter).toMatchObject({ in: 'query', required: false })
    const validate = compile(document, parameter?.schema ?? {})
    for (const value of values) {
      const { status } = await post(test, `/search/anime?${name}=${value}`, { query: 'robot' })
      expect(validate(value), `${name}=${value}`).toBe(status === 200)
    }
    if (parameter?.schema.default !== undefined) {
      expect(validate(parameter.schema.default)).toBe(true)
    }
  })
})
