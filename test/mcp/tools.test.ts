/** The tools by the official client, over both transports: the same calls, the same answers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begunFolder, openScene, type Scene } from '../faults/scene.js'
import { synoptic } from '../helpers/run-cli.js'
import { cli } from '../serve/child.js'

/** Loading a model on a busy machine takes its time. */
const timeout = 120_000

interface Opened {
  readonly client: Client
  readonly close: () => Promise<void>
}

const revision2026 = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

async function overStdio(): Promise<Opened> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp'],
    cwd: await begunFolder(),
    env: { PATH: process.env.PATH ?? '' },
    stderr: 'inherit',
  })
  const client = new Client({ name: 'test', version: '0' }, revision2026)
  await client.connect(transport, { timeout })
  return { client, close: () => client.close() }
}

async function overHttp(): Promise<Opened> {
  const server = await openScene()
  const client = new Client({ name: 'test', version: '0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`))
  await client.connect(transport, { timeout })
  return {
    client,
    async close() {
      await client.close()
      await server.stop()
    },
  }
}

interface Found {
  readonly id: number
  readonly title: string
  readonly score: number
  readonly synopsis: string
  readonly year: number | null
  readonly genres: readonly string[]
}

describe.each([
  ['stdio by the revision of 2026', overStdio],
  ['streamable HTTP by that of 2025', overHttp],
])('the tools over %s', (transport, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  async function call(name: string, input: object) {
    // The client checks each result by the schema of its tool.
    const { content, structuredContent, isError } = await opened.client.callTool(
      { name, arguments: { ...input } },
      { timeout },
    )
    const [first] = content
    return { structuredContent, isError, text: first?.type === 'text' ? first.text : '' }
  }
  async function found(name: string, input: object): Promise<readonly Found[]> {
    const { text, structuredContent, isError } = await call(name, input)
    expect(isError, text).toBeUndefined()
    expect(JSON.parse(text)).toEqual(structuredContent)
    return (structuredContent as { results: Found[] }).results
  }

  const notebook = "a boy who gains a notebook that kills whoever's name is written in it"

  it('are five, which read only, and each describes its input and output', async () => {
    const { tools } = await opened.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'find_anime',
      'find_manga',
      'similar',
      'recommend',
      'get_entry',
    ])
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object', required: expect.any(Array) as [] })
      expect(annotations?.readOnlyHint).toBe(true)
      expect(description?.length).toBeGreaterThan(40)
    }
    expect(tools[0]?.inputSchema.required).toEqual(['query'])
    const { client } = opened
    expect(client.getNegotiatedProtocolVersion()).toBe(
      transport.includes('2026') ? '2026-07-28' : '2025-11-25',
    )
    expect(client.getServerVersion()?.name).toBe('synoptic')
    expect(client.getInstructions()).toContain('anime and manga')
    // They never change, so nobody has to listen.
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} })
  })

  it('find a work by its plot, and by filters', async () => {
    const results = await found('find_anime', { query: notebook })
    expect(results).toHaveLength(5)
    expect(results[0]?.title).toBe('Death Note')
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    const old = await found('find_anime', { query: notebook, count: 3, yearTo: 2000 })
    for (const { year } of old) expect(year).toBeLessThanOrEqual(2000)
    expect(await found('find_manga', { query: 'pirates', count: 1 })).toHaveLength(1)
  })

  it('say what they could not search for, and nothing where there is no such thing', async () => {
    const search = async (input: object) =>
      (await call('find_anime', { query: notebook, count: 1, ...input })).structuredContent
    expect(await search({ genres: { any: ['Horor'] } })).toMatchObject({
      warnings: [expect.stringContaining('Horor') as string],
    })
    expect(await search({ genres: { any: ['Horror'] } })).not.toHaveProperty('warnings')
  })

  it('find what is like a work, and read it whole', async () => {
    const [best] = await found('find_anime', { query: notebook, count: 1 })
    const id = best?.id ?? -1
    const alike = await found('similar', { dataset: 'anime', id, count: 4 })
    expect(alike).toHaveLength(4)
    expect(alike.map((entry) => entry.id)).not.toContain(id)
    const { structuredContent } = await call('get_entry', { dataset: 'anime', id })
    expect(structuredContent).toMatchObject({ id, title: 'Death Note' })
    expect(Object.keys((structuredContent as { texts: object }).texts).length).toBeGreaterThan(0)
  })

  it('take titles for ids, and say which other works have the title', async () => {
    const { structuredContent } = await call('get_entry', { dataset: 'anime', title: 'Deathnote' })
    expect(structuredContent).toMatchObject({ dataset: 'anime', title: 'Death Note' })
    const { id } = structuredContent as Found
    const byTitle = await found('similar', { dataset: 'anime', title: 'death note', count: 3 })
    expect(byTitle).toEqual(await found('similar', { dataset: 'anime', id, count: 3 }))
  })

  it('recommend by titles and ids, also by a single one', async () => {
    const liked = { dataset: 'anime', liked: 'Death Note', count: 3 }
    const results = await found('recommend', liked)
    expect(results).toHaveLength(3)
    expect(results.map(({ title }) => title)).not.toContain('Death Note')
    expect(results[0]).toMatchObject({ because: [{ title: 'Death Note' }] })
    const [first] = results
    const others = await found('recommend', { ...liked, seen: [first?.id], disliked: ['no such'] })
    expect(others.map(({ id }) => id)).not.toContain(first?.id)
    const { structuredContent } = await call('recommend', { ...liked, disliked: ['no such title'] })
    expect(structuredContent).toMatchObject({
      warnings: ['no anime has the title "no such title"'],
    })
  })

  it('take lists and single names where models write them, and null for nothing', async () => {
    const of = (input: object) => found('find_anime', { query: notebook, count: 3, ...input })
    const [best] = await of({})
    const genres = best?.genres ?? []
    const all = await of({ genres: { all: genres } })
    expect(all[0]?.id).toBe(best?.id)
    expect(await of({ genres })).toEqual(all)
    const [name] = genres
    const one = await of({ genres: { any: [name] }, type: ['tv'] })
    expect(await of({ genres: name, type: 'tv', tags: [], yearFrom: null })).toEqual(one)
    expect(await of({ genres: { any: name }, type: 'tv' })).toEqual(one)
    const tagged = await of({ tags: { all: ['time-loop'] } })
    expect(await of({ tags: 'time-loop' })).toEqual(tagged)
  })

  it('have the pages of works as resources', async () => {
    const { client } = opened
    expect((await client.listResources()).resources).toEqual([])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'synoptic://anime/{id}',
      'synoptic://manga/{id}',
    ])
    const { structuredContent } = await call('get_entry', { dataset: 'anime', title: 'Death Note' })
    const { id } = structuredContent as Found
    const { contents } = await client.readResource({ uri: `synoptic://anime/${id}` })
    const [page] = contents
    expect(page).toMatchObject({ mimeType: 'application/json' })
    expect(JSON.parse(page && 'text' in page ? page.text : '')).toEqual(structuredContent)
    for (const uri of [
      'synoptic://anime/987654321',
      'synoptic://novel/1',
      'synoptic://anime/x',
      'synoptic://anime/-1',
      'file:///etc/passwd',
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
  })

  it.each([
    ['find_anime', {}, 'query: required'],
    ['find_anime', { query: 'x', genres: 5 }, 'expected a list of names, or an object'],
    ['find_anime', { query: 'x', genres: [[]] }, 'expected a list of names'],
    ['find_anime', { query: 'x', tags: ['no such tag'] }, 'a tag of the vocabulary'],
    ['find_anime', { query: 'x', genres: { some: ['Horror'] } }, 'any, all and none'],
    ['recommend', { dataset: 'anime' }, 'expected liked or disliked works, or a query'],
    ['recommend', { dataset: 'anime', liked: 'no such title' }, 'no anime has the title'],
    ['recommend', { dataset: 'anime', liked: [1.5] }, 'expected'],
    ['recommend', { dataset: 'anime', liked: {} }, 'expected ids or titles'],
    ['similar', { dataset: 'anime' }, 'expected an id or a title'],
    ['similar', { dataset: 'anime', id: 1, title: 'x' }, 'and not both'],
    ['get_entry', { dataset: 'anime', title: 'no such title at all' }, 'no anime has the title'],
    ['find_anime', { query: '  ' }, 'must be 1 to 2,000 characters'],
    ['find_anime', { query: 'x'.repeat(2001) }, 'it has 2,001'],
    ['find_anime', { query: 'x', count: 51 }, 'expected an integer from 1 to 50'],
    ['find_anime', { query: 'x', cuont: 5 }, 'did you mean count'],
    ['find_manga', { query: 'x', yearFrom: 2000, yearTo: 1990 }, 'at most yearTo'],
    ['find_manga', { query: 'x', tags: { all: ['no such tag'] } }, 'a tag of the vocabulary'],
    ['similar', { dataset: 'novel', id: 1 }, 'expected anime or manga'],
    ['similar', { dataset: 'anime', id: 987_654_321 }, 'no entry with the id'],
    ['similar', { dataset: 'anime', id: -1 }, 'expected an integer'],
    ['get_entry', { dataset: 'anime', id: 987_654_321 }, 'no anime with this id'],
    ['get_entry', { dataset: 'anime', id: '1' }, 'expected an integer'],
  ])('%s returns to the model what is wrong: %#', async (name, input, message) => {
    const { isError, text } = await call(name, input)
    expect(isError).toBe(true)
    expect(text).toContain(message)
  })

  it('refuses a tool that is not there, and goes on', async () => {
    await expect(call('find_novel', { query: 'x' })).rejects.toThrow(
      /there is no such tool; there are find_anime/,
    )
    expect(await found('find_anime', { query: notebook, count: 1 })).toHaveLength(1)
  })
})

describe('synoptic mcp', () => {
  it('ends without a catalogue to be found, and says why on stderr alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'synoptic-mcp-'))
    const { code, stdout, stderr } = synoptic(['mcp', '--cross-encoder', 'none/such'], {
      cwd: folder,
    })
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain('none/such')
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('POST /mcp', () => {
  let server: Scene
  beforeAll(async () => {
    server = await openScene([
      '--workers',
      '2',
      '--rate-limit',
      'mcp=0.001',
      '--rate-burst',
      '22',
      '--rate-limit-loopback',
    ])
  })
  afterAll(() => server.stop())

  const send = (body: unknown, headers = {}, method = 'POST') =>
    fetch(`${server.origin}/mcp`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' }

  it('answers each message whole, from any process, with the headers of every response', async () => {
    for (let i = 0; i < 2; i++) {
      const response = await send(list, { connection: 'close' })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('x-request-id')).toMatch(/\S/)
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 7 })
    }
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const accepted = await send(notification)
    expect([accepted.status, await accepted.text()]).toEqual([202, ''])
  })

  it.each([
    ['no JSON', '{', 400, 'invalid-request'],
    ['a batch', [list, list], 400, 'invalid-request'],
    ['no JSON-RPC', { id: 1 }, 400, 'invalid-request'],
    ['a message without a method', { jsonrpc: '2.0', id: 1 }, 400, 'invalid-request'],
    [
      'a body that is too large',
      { ...list, params: { a: 'x'.repeat(2 ** 20) } },
      413,
      'payload-too-large',
    ],
  ])('refuses %s', async (_, body, status, problem) => {
    const response = await send(body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ type: `urn:synoptic:problem:${problem}` })
  })

  it('serves the revision of 2026, which begins without a handshake, at the same address', async () => {
    const client = new Client({ name: 'test', version: '0' }, revision2026)
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`)))
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect((await client.listTools()).tools).toHaveLength(5)
    await client.close()
  })

  it.each([
    ['a revision that is not there', { version: '2099-01-01' }, 400, -32022],
    ['a header that says something else', { header: 'tools/call' }, 400, -32020],
    ['a method that is not there', { method: 'prompts/list' }, 404, -32601],
    ['a wait for changes, as nothing changes', { method: 'subscriptions/listen' }, 200, -32603],
  ])('refuses in the words of 2026 %s', async (_, wrong, status, code) => {
    const {
      method = 'tools/list',
      version = '2026-07-28',
      header = method,
    } = wrong as {
      method?: string
      version?: string
      header?: string
    }
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = { jsonrpc: '2.0', id: 1, method, params: { notifications: {}, _meta: envelope } }
    const headers = { 'mcp-protocol-version': version, 'mcp-method': header }
    const response = await send(body, headers)
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }])
  })

  it('has no streams and no sessions to open or to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await send(undefined, {}, method)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toContain('POST')
    }
    const refused = await send(list, { accept: 'text/html' })
    expect(refused.status).toBe(406)
    expect(await refused.json()).toMatchObject({
      type: 'urn:synoptic:problem:not-acceptable',
      detail: expect.stringContaining('application/json and text/event-stream') as string,
    })
  })

  it('is in the documentation, which is valid', async () => {
    const document = (await (await fetch(`${server.origin}/openapi.json`)).json()) as object
    const { valid, errors } = await new Validator().validate({ ...document })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(document).toHaveProperty(['paths', '/mcp', 'post', 'responses', '429'])
  })

  it('has a limit like other routes, for each request', async () => {
    const statuses = []
    for (let i = 0; i < 20; i++) statuses.push((await send(list)).status)
    expect(statuses.at(-1)).toBe(429)
    expect(statuses).toContain(200)
  })
})
