/** builtin/minilm-anime as it ships: listed, checked, embedded by the command, and what a server searches with. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { synopticHere } from '../helpers/run-here.js'
import { ask, startServer, type ServerChild } from './child.js'
import { queryOfThird, writeTexts } from './few-texts.js'

const model = 'builtin/minilm-anime'
const description = queryOfThird
const folder = mkdtempSync(join(tmpdir(), 'synoptic-minilm-anime-'))
const run = (...words: string[]) => synopticHere(words, { cwd: folder, env: {} })
const withIt = ['--search-encoder', model, '--workers', '1', '--rate-limit', '0']
let server: ServerChild

beforeAll(async () => {
  writeTexts(folder)
  for (const name of ['builtin/static-en', model]) {
    const { code, stderr } = await run('embed', 'build', '--model', name)
    expect(code, stderr).toBe(0)
  }
  server = await startServer(folder, withIt)
}, 300_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

test('it is listed as built in', async () => {
  expect((await run('models', 'list')).stdout).toMatch(/^builtin\/minilm-anime +built in +384 /m)
})

test('it is found sound, by its short name too', async () => {
  const { code, stdout } = await run('models', 'check', 'minilm-anime')
  expect(stdout).toContain(`${model}: 384 dimensions, texts of at most 256 tokens`)
  expect(code).toBe(0)
})

test('no other takes its place', async () => {
  const { code, stderr } = await run('models', 'add', folder, '--name', model)
  expect(stderr).toContain('it ships with the program')
  expect(code).not.toBe(0)
})

test('GET /models lists it', async () => {
  const response = await fetch(`${server.origin}/models/${model}`)
  expect(await response.json()).toMatchObject({
    name: model,
    category: 'Similarity models',
    installed: true,
    dimension: 384,
    maximum_tokens: 256,
  })
})

test('/searchmodel finds the right work, by a cosine', async () => {
  const { status, body } = await ask(server.origin, { model, description })
  expect(status).toBe(200)
  const results = body.results as { id: number; similarity: number }[]
  expect(results.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4])
  const [first, second] = results
  expect(first?.id).toBe(3)
  expect(first?.similarity).toBeLessThan(1)
  expect(first?.similarity).toBeGreaterThan((second?.similarity ?? 1) + 0.1)
})

test('/search finds the right work with its vectors', async () => {
  const response = await fetch(`${server.origin}/search/anime`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: description }),
  })
  expect(response.status).toBe(200)
  const { results } = (await response.json()) as { results: { id: number }[] }
  expect(results[0]?.id).toBe(3)
  const state = (await (await fetch(`${server.origin}/`)).json()) as { models_loaded: string[] }
  expect(state.models_loaded).toContain(model)
})

test('a text that is none has a vector that is near nothing', async () => {
  const { status, body } = await ask(server.origin, { model, description: '…' })
  expect([200, 400]).toContain(status)
  for (const { similarity } of (body.results ?? []) as { similarity: number }[]) {
    expect(similarity).toBeLessThan(0.6)
  }
})

test('without its embeddings the server says what is missing, and embed status, that nothing is', async () => {
  const bare = join(folder, 'bare')
  const without = ['--embeddings-dir', bare, '--data-dir', join(folder, 'data')]
  const built = await run('embed', 'build', '--model', 'builtin/static-en', ...without)
  expect(built.code).toBe(0)
  expect((await run('embed', 'status')).stdout).toContain(`anime ${model}: current`)
  expect((await run('embed', 'status', ...without)).stdout).not.toContain(model)
  const other = await startServer(folder, [...withIt, ...without])
  try {
    const response = await fetch(`${other.origin}/search/anime`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: description }),
    })
    expect(response.status).toBe(500)
    expect(await response.text()).toContain(`no embeddings by the model ${model}`)
  } finally {
    await other.stop()
  }
})
