import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { keepWrites } from '#synoptic/server/serve/keep-writes.js'
import { problemKinds } from '#synoptic/server/problems/error-status.js'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { problemExamples } from '#synoptic/server/http/openapi/problem-examples.js'
import { conditions } from '#synoptic/server/http/openapi/problems.js'
import { createWorld } from '../search/world.js'
import { createTestApp, healthy, post } from './harness.js'
import { compile, operationOf, readOpenApi, type Json } from './openapi-document.js'
import { WordRanker } from './word-ranker.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-openapi-'))
const place = { dataDir: scratch, modelsDir: scratch, embeddingsDir: scratch, device: 'cpu' }
const kept = await keepWrites(place, pino({ level: 'silent' }))
await kept.write({ kind: 'delete', dataset: 'anime', ids: [1] })
afterAll(async () => {
  await kept.stop()
  rmSync(scratch, { recursive: true })
})
const services = {
  rankedSearch: new WordRanker(createWorld().catalogue),
  writes: {
    writes: kept,
    columnsOf: () => ['synopsis'],
    hasEntry: () => true,
    checkFilter: () => undefined,
  },
}
const test = createTestApp({ rateLimit: { searchmodel: 1e6 }, rateBurst: 1e6 }, services)
const document = await readOpenApi(test)
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)
const posts = operations.filter(({ method }) => method === 'post')
const gets = operations.filter(({ method }) => method === 'get')

/** Everything that the document says of an answer holds of this one. */
async function expectDocumented(response: Response, path: string, method: string): Promise<void> {
  const { status, headers } = response
  const answer = operationOf(document, path, method).responses[status]
  if (answer === undefined) throw new Error(`${status} of ${method} ${path} is not documented`)
  for (const name of Object.keys(answer.headers)) expect(headers.has(name), name).toBe(true)
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  expect(Object.keys(answer.content)).toEqual([type])
  const { schema = {}, examples } = answer.content[type] ?? {}
  const validate = compile(document, schema)
  const text = await response.text()
  const body: unknown = type.endsWith('json') ? JSON.parse(text) : text
  validate(body)
  expect(validate.errors).toBeNull()
  if (type !== 'application/problem+json') return
  expect(body).toMatchObject({ status })
  expect(Object.keys(examples ?? {})).toContain((body as ProblemBody).type.split(':').at(-1))
}

/** The parts of a schema that show examples. */
function exemplified(schema: Json): { examples: unknown[]; schema: Json }[] {
  const inner = Object.entries(schema)
    .filter(([key]) => key !== 'examples')
    .flatMap(([, value]) =>
      typeof value === 'object' && value !== null ? exemplified(value as Json) : [],
    )
  return Array.isArray(schema.examples) ? [{ examples: schema.examples, schema }, ...inner] : inner
}

describe('GET /openapi.json', () => {
  it('is an OpenAPI 3.1 document', async () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info.version).toBe(healthy.version)
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('would differ from an invalid one', async () => {
    const { valid } = await new Validator().validate({ ...structuredClone(document), paths: 7 })
    expect(valid).toBe(false)
  })

  it.each(Object.keys(document.components.schemas))('%s is a strict JSON Schema', (name) => {
    compile(document, { $ref: `#/components/schemas/${name}` })
  })

  it.each(operations)('$method $path has one tag of the document', ({ operation }) => {
    expect(operation.tags).toHaveLength(1)
    expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0])
  })

  it('calls no two operations the same', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has `items` as a schema wherever there is a list, for linters and generators', () => {
    expect(JSON.stringify(document)).toContain('"prefixItems"')
    expect(JSON.stringify(document)).not.toContain('"items":false')
  })

  it('refers to what is there', () => {
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? []
    expect(references.length).toBeGreaterThan(10)
    for (const reference of references) {
      const steps = (JSON.parse(reference) as string).split('/').slice(1)
      const target = steps.reduce<unknown>((value, step) => (value as Json)[step], document)
      expect(target, reference).toBeDefined()
    }
  })

  it('holds no header and no example that nothing refers to', () => {
    const text = JSON.stringify(document)
    const { headers, examples } = document.components
    const pointers = [
      ...Object.keys(headers).map((name) => `headers/${name}`),
      ...Object.keys(examples).map((name) => `examples/${name}`),
    ]
    expect(pointers.length).toBeGreaterThan(10)
    for (const pointer of pointers) expect(text).toContain(`"#/components/${pointer}"`)
  })

  it('says where members of other names may be', () => {
    expect(document.components.schemas).toMatchObject({
      SimilarEntry: { additionalProperties: true },
      SearchModelRequest: { additionalProperties: false },
    })
  })

  it.each(Object.entries(problemExamples))('shows the body of %s', (name, { value }) => {
    const validate = compile(document, { $ref: '#/components/schemas/Problem' })
    validate(value)
    expect(validate.errors).toBeNull()
    expect(value).toMatchObject({ type: `urn:synoptic:problem:${name}` })
  })

  it.each(Object.entries(document.components.schemas))('%s has sound examples', (_, schema) => {
    for (const { examples, schema: part } of exemplified(schema as Json)) {
      const validate = compile(document, part)
      for (const example of examples) {
        validate(example)
        expect(validate.errors).toBeNull()
      }
    }
  })

  it('knows when each problem is answered, and shows it', () => {
    const answered = problemKinds.map(({ name }) => name).filter((name) => name !== 'client-gone')
    expect(Object.keys(conditions).toSorted()).toEqual(answered.toSorted())
    expect(Object.keys(problemExamples).toSorted()).toEqual(answered.toSorted())
  })

  it.each([
    [['health'], ['/', '/health', '/livez', '/readyz']],
    [['search'], ['/search/anime', '/search/manga']],
    [['searchmodel'], ['/searchmodel/anime', '/searchmodel/manga']],
    [['models'], ['/models', '/models/{name}']],
    [
      ['health', 'models'],
      ['/', '/health', '/livez', '/models', '/models/{name}', '/readyz'],
    ],
  ])('holds only what %j serves', async (groups, expected) => {
    const some = createTestApp({ enableRoutes: [...groups, 'docs'] }, services)
    const { paths, tags } = await readOpenApi(some)
    expect(Object.keys(paths).toSorted()).toEqual(
      [...expected, '/docs', '/openapi.json'].toSorted(),
    )
    expect(tags).toHaveLength(groups.length + 1)
  })

  it('speaks of the rate limit only where there is one', async () => {
    const unlimited = await readOpenApi(createTestApp({}, services))
    const { responses } = operationOf(unlimited, '/searchmodel/anime', 'post')
    expect(responses).not.toHaveProperty('429')
    expect(responses['200']?.headers).not.toHaveProperty('RateLimit')
    const limited = operationOf(document, '/searchmodel/anime', 'post').responses
    expect(limited['429']?.headers).toHaveProperty('Retry-After')
    expect(operationOf(document, '/search/anime', 'post').responses).not.toHaveProperty('429')
  })
})

describe('what is served', () => {
  const examples = posts.flatMap(({ path, operation }) =>
    Object.entries(operation.requestBody?.content['application/json'].examples ?? {}).map(
      ([name, { value }]) => ({ path, name, value }),
    ),
  )

  it('has examples for every body', () => {
    expect(new Set(examples.map(({ path }) => path)).size).toBe(posts.length)
  })

  it.each(examples)('$path answers the example "$name" as documented', async ({ path, value }) => {
    const { schema } = operationOf(document, path, 'post').requestBody?.content[
      'application/json'
    ] ?? { schema: {} }
    expect(compile(document, schema)(value)).toBe(true)
    const response = await post(test, path, value)
    expect(response.status).toBe(path.endsWith('/delete') ? 202 : 200)
    await expectDocumented(response, path, 'post')
  })

  it.each(gets)('$path answers as documented', async ({ path }) => {
    const known = path
      .replace('{name}', 'builtin%2Fstatic-en')
      .replace('/tasks/{id}', '/tasks/1')
      .replace('{id}', '1000')
      .replace(/^\/titles.*/, '$&?prefix=a')
    const response = await test.app.request(known)
    expect(response.status).toBe(200)
    await expectDocumented(response, path, 'get')
  })

  it('is not ready as documented', async () => {
    const health = { report: () => ({ ...healthy, status: 'unavailable' as const }) }
    const response = await createTestApp({}, { ...services, health }).app.request('/readyz')
    expect(response.status).toBe(503)
    await expectDocumented(response, '/readyz', 'get')
  })

  it.each(posts)('$path refuses as documented', async ({ path }) => {
    await expectDocumented(await post(test, path, {}), path, 'post')
    await expectDocumented(await post(test, path, 'x'.repeat(1_100_000)), path, 'post')
    const untyped = await test.app.request(path, { method: 'POST', body: '{}' })
    expect(untyped.status).toBe(415)
    await expectDocumented(untyped, path, 'post')
    const full = createTestApp({ limitConcurrency: 0 }, services)
    const crowded = await post(full, path, {})
    expect(crowded.status).toBe(503)
    await expectDocumented(crowded, path, 'post')
  })

  it('paces as documented', async () => {
    const slow = createTestApp({ rateLimit: { searchmodel: 1 }, rateBurst: 1 }, services)
    await post(slow, '/searchmodel/anime', {})
    const response = await post(slow, '/searchmodel/anime', {})
    expect(response.status).toBe(429)
    await expectDocumented(response, '/searchmodel/anime', 'post')
  })

  it('does not know a model as documented', async () => {
    const response = await test.app.request('/models/gpt')
    expect(response.status).toBe(404)
    await expectDocumented(response, '/models/{name}', 'get')
  })

  it('fails as documented', async () => {
    const broke = () => Promise.reject(new Error('broken'))
    const failing = { similar: broke, similarToEach: broke, neighbours: broke }
    const broken = createTestApp({}, { ...services, search: failing })
    const [example] = examples
    const response = await post(broken, '/searchmodel/anime', example?.value)
    expect(response.status).toBe(500)
    await expectDocumented(response, '/searchmodel/anime', 'post')
  })
})
