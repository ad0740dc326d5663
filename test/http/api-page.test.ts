/** docs/api.md says what the OpenAPI document says, and its commands work. */
import { workDatasets } from '#synoptic/data/catalogue/dataset.js'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createBrowse } from '#synoptic/search/browse/browse.js'
import { problemKinds } from '#synoptic/server/problems/error-status.js'
import { conditions } from '#synoptic/server/http/openapi/problems.js'
import { problemExamples } from '#synoptic/server/http/openapi/problem-examples.js'
import { createInference } from '#synoptic/search/inference/create-inference.js'
import { createKnowledge } from '#synoptic/search/knowledge/dataset-knowledge.js'
import { createMcpEndpoint } from '#synoptic/server/mcp/serve-http.js'
import { createWorld, model } from '../search/world.js'
import { createTestApp, post } from './harness.js'
import { operationOf, readOpenApi, type Json, type OpenApi } from './openapi-document.js'
import { WordRanker } from './word-ranker.js'

const page = readFileSync(fileURLToPath(new URL('../../docs/api.md', import.meta.url)), 'utf8')
/** No test here uses a model. */
const unasked = () => Promise.reject(new Error('expected nobody to ask a model'))
const world = createWorld()
const rankedSearch = new WordRanker(world.catalogue)
const browse = createBrowse({
  catalogue: world.catalogue,
  knowledge: createKnowledge(world.catalogue),
})
const services = {
  rankedSearch,
  recommend: unasked,
  joinedSearch: unasked,
  listEntries: unasked,
  inference: createInference({
    modelsDir: 'models',
    fineTunedDir: 'fine-tuned',
    builtinScorer: unasked,
    models: { use: unasked },
    crossEncoders: { use: unasked },
    defaults: { encoder: 'builtin/static-en', ranker: 'builtin/maxsim-en' },
  }),
  feedback: { keep: () => Promise.resolve() },
  analytics: { searched: () => undefined, summary: unasked },
  publicLists: unasked,
  mcp: createMcpEndpoint(
    {
      catalogue: world.catalogue,
      ranked: rankedSearch,
      similar: world.search,
      recommend: unasked,
      browse,
      adult: 'exclude',
    },
    workDatasets,
  ),
}
const test = createTestApp({}, services)
const document = await readOpenApi(test)

/** The tables whose head begins with these cells, as cells. */
function tables(...head: string[]): string[][][] {
  const blocks = page.split('\n\n').map((block) => block.split('\n'))
  return blocks
    .filter(([first = '']) => first.startsWith(`| ${head.join(' | ')} |`))
    .map((lines) =>
      lines.slice(2).map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    )
}

const unquoted = (cell = '') => cell.replaceAll('`', '')

interface Described {
  readonly name: string
  readonly required: boolean
  readonly schema: Json
}

type Bounds = Readonly<
  Record<'default' | 'minimum' | 'maximum' | 'minLength' | 'maxLength', number | undefined>
>

function membersOf(path: string): Described[] {
  const schema = operationOf(document, path, 'post').requestBody?.content['application/json'].schema
  const title = String(schema?.$ref).split('/').at(-1) ?? ''
  const message = document.components.schemas[title] as {
    properties: Record<string, Json>
    required: string[]
  }
  return Object.entries(message.properties).map(([name, member]) => {
    return { name, schema: member, required: message.required.includes(name) }
  })
}

/** Rows say what the schemas say: names in order, defaults, and the bounds of integers and texts. */
function expectRows(rows: string[][] | undefined, described: readonly Described[]): void {
  expect(rows?.map(([name]) => unquoted(name))).toEqual(described.map(({ name }) => name))
  for (const [position, { required, schema }] of described.entries()) {
    const [, type = '', bounds = '', fallback = ''] = rows?.[position] ?? []
    expect(fallback === 'required').toBe(required)
    const { default: known, minimum, maximum, minLength, maxLength } = schema as Bounds
    if (known !== undefined) expect(fallback).toBe(String(known))
    if (typeof schema.type === 'string') expect(type).toBe(schema.type)
    if (schema.type === 'integer') expect(bounds).toBe(`${minimum} to ${maximum}`)
    if (maxLength !== undefined) expect(bounds).toBe(`${minLength} to ${maxLength} characters`)
  }
}

describe('docs/api.md', () => {
  it('lists every route that is documented, and no other', () => {
    const [rows = []] = tables('method and path', 'group', 'what')
    const listed = rows.flatMap(([cell = '']) =>
      Array.from(cell.matchAll(/\[(\w+ [^\]]+)\]/g), ([, name]) => name),
    )
    expect(listed.toSorted()).toEqual(routesOf(document).toSorted())
  })

  it('puts every route in its group', async () => {
    const [rows = []] = tables('method and path', 'group', 'what')
    for (const [cell = '', group] of rows) {
      const only = createTestApp({ enableRoutes: [unquoted(group), 'docs'] }, services)
      const served = routesOf(await readOpenApi(only))
      for (const [, name] of cell.matchAll(/\[(\w+ [^\]]+)\]/g)) expect(served).toContain(name)
    }
  })

  it('lists the members of the bodies', () => {
    const [similarity, search] = tables('body', 'type', 'bounds', 'default')
    expectRows(similarity, membersOf('/searchmodel/anime'))
    expectRows(similarity, membersOf('/searchmodel/manga'))
    expectRows(search, membersOf('/search/anime'))
    expectRows(search, membersOf('/search/manga'))
  })

  it('lists the parameters of the searches', () => {
    const [similarity, search] = tables('query', 'type', 'bounds', 'default')
    for (const dataset of ['anime', 'manga']) {
      const parametersOf = (path: string) =>
        operationOf(document, `${path}/${dataset}`, 'post').parameters ?? []
      expectRows(similarity, parametersOf('/searchmodel'))
      expectRows(search, parametersOf('/search'))
    }
  })

  it('lists every problem with its status and condition', () => {
    const [rows] = tables('status', '`type`, after `urn:synoptic:problem:`', 'when')
    const known = problemKinds.flatMap(({ status, name }) =>
      name in conditions
        ? [[String(status), name, conditions[name as keyof typeof conditions]]]
        : [],
    )
    expect(rows?.map(([status, name, when]) => [status, unquoted(name), when])).toEqual(known)
  })

  it('shows the body of a problem as it is', () => {
    const [, body = ''] = /```json\n([^]*?)```/.exec(page) ?? []
    expect(JSON.parse(body)).toEqual(problemExamples['invalid-request']?.value)
  })

  it('shows commands that work', async () => {
    const commands = Array.from(page.matchAll(/curl '?localhost:8000(\S+?)'? -H .*\n +-d '(.*)'/g))
    expect(commands.length).toBe(3)
    for (const [, path = '', body = ''] of commands) {
      const response = await post(test, path, body.replace('builtin/static-en', model))
      expect(response.status).toBe(200)
    }
  })

  it('leads to headings that are there', () => {
    const headings = Array.from(page.matchAll(/^##+ (.*)$/gm), ([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    )
    for (const [, anchor] of page.matchAll(/\]\(#([\w-]+)\)/g)) expect(headings).toContain(anchor)
  })
})

function routesOf({ paths }: OpenApi): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
}
