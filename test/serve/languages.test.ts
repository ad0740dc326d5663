/** Queries in other languages than English: without a model that reads them, and with multilingual-e5-small. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { nextToEmbed } from '#synoptic/search/composition/choose-encoder.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { synopticHere } from '../helpers/run-here.js'
import { startServer, type ServerChild } from './child.js'
import { writeTexts } from './few-texts.js'

const model = 'intfloat/multilingual-e5-small'
const made = resolve('models', model)
const folder = mkdtempSync(join(tmpdir(), 'synoptic-languages-'))
const german =
  'die letzten Menschen verstecken sich in einer Festung vor Riesen, die Menschen fressen'
const english = 'the last people hide inside a fortress from man-eating giants'
let server: ServerChild | undefined

beforeAll(async () => {
  writeTexts(folder)
  await embed('builtin/static-en')
})
afterAll(() => rmSync(folder, { recursive: true }))

async function embed(name: string): Promise<void> {
  const words = ['embed', 'build', '--model', name]
  const { code, stderr } = await synopticHere(words, { cwd: folder, env: {} })
  expect(code, stderr).toBe(0)
}

afterEach(async () => {
  await server?.stop()
  server = undefined
})

const start = async (...flags: string[]) =>
  (server = await startServer(folder, ['--workers', '1', '--rate-limit', '0', ...flags]))

interface Answer {
  readonly results: readonly { readonly id: number }[]
  readonly language?: unknown
}

async function search(body: object, path = 'search/anime'): Promise<Answer> {
  const response = await fetch(`${server?.origin}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

const asGerman = { code: 'de', name: 'German' }

describe('without a model of other languages', () => {
  it('the answer names the language and what adds a model; that of an English query names none', async () => {
    await start('--search-encoder', 'builtin/static-en')
    const remedy = `synoptic models pull ${model}`
    const language = { ...asGerman, encoder: null, remedy }
    expect(await search({ query: german })).toMatchObject({ language })
    expect(await search({ query: german, interpret: false })).toMatchObject({ language })
    expect(await search({ query: german }, 'search')).toMatchObject({ language })
    expect(await search({ query: english })).not.toHaveProperty('language')
    const { answers } = (await search({ queries: [english, german] })) as unknown as {
      answers: readonly Answer[]
    }
    expect(answers.map((answer) => answer.language)).toEqual([undefined, language])
  })
})

describe.skipIf(!existsSync(join(made, 'modules.json')))('with multilingual-e5-small', () => {
  beforeAll(() => {
    const place = join(folder, 'models', model)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(made, place, 'junction')
  })

  it('names the command that embeds the works, where nothing does so by itself', async () => {
    await start('--search-encoder', 'builtin/static-en')
    const remedy = `synoptic embed build --model ${model}`
    expect(await search({ query: german })).toMatchObject({
      language: { ...asGerman, encoder: null, remedy },
    })
  })

  it('is what a server embeds the works with last, and then German queries find texts', async () => {
    await embed('builtin/minilm-anime')
    const at = (name: string) => join(folder, name)
    const folders = {
      dataDir: at('data'),
      embeddingsDir: at('embeddings'),
      modelsDir: at('models'),
    }
    const settings = { ...folders, searchEncoder: 'auto' }
    expect(await nextToEmbed(settings)).toEqual({ model, datasets: ['anime'] })
    await embed(model)
    expect(await nextToEmbed(settings)).toBeUndefined()

    const german = 'Schüler haben ein Jahr Zeit, um ihren Lehrer zu töten, der eine gelbe Krake ist'
    const { stdout, stderr } = await synopticHere(['search', german, '--json'], {
      cwd: folder,
      env: {},
    })
    const [first = ''] = stdout.split('\n')
    expect(JSON.parse(first), stderr).toMatchObject({ id: 1 })
  })
})
