import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import {
  ModelNotInstalledError,
  SettingsError,
  ValidationError,
} from '#synoptic/base/errors/index.js'
import { modelNames } from '#synoptic/models/registry/registry.js'
import {
  listCrossEncoders,
  requireDefaultRanker,
  resolveCrossEncoder,
} from '#synoptic/models/registry/cross-encoders.js'

const fixtures = fileURLToPath(new URL('../fixtures/models', import.meta.url))
const modelsDir = mkdtempSync(join(tmpdir(), 'synoptic-models-'))
afterAll(() => rmSync(modelsDir, { recursive: true, force: true }))
const fineTunedDir = join(modelsDir, 'fine-tuned')
const installed = 'cross-encoder/ms-marco-MiniLM-L-6-v2'
cpSync(join(fixtures, 'bert'), join(modelsDir, installed), { recursive: true })
cpSync(join(fixtures, 'xlm-roberta'), join(fineTunedDir, 'mine'), { recursive: true })
// A name of the catalogue goes before a label.
mkdirSync(join(fineTunedDir, 'ms-marco-MiniLM-L6-v2'))
writeFileSync(join(fineTunedDir, 'ms-marco-MiniLM-L6-v2', 'config.json'), '{}')

const resolve = (name: string) => resolveCrossEncoder(name, { modelsDir, fineTunedDir })

describe('the catalogue', () => {
  const list = listCrossEncoders({ modelsDir })

  it('lists the built-in ranker first, then what can be installed', () => {
    expect(list.map(({ name }) => name)).toEqual([
      'builtin/maxsim-en',
      'cross-encoder/ms-marco-MiniLM-L-2-v2',
      'cross-encoder/ms-marco-MiniLM-L-4-v2',
      'cross-encoder/ms-marco-MiniLM-L-6-v2',
      'cross-encoder/ms-marco-MiniLM-L-12-v2',
      'cross-encoder/ms-marco-TinyBERT-L-2',
      'cross-encoder/ms-marco-TinyBERT-L-2-v2',
      'cross-encoder/ms-marco-TinyBERT-L-4',
      'cross-encoder/ms-marco-TinyBERT-L-6',
      'cross-encoder/ms-marco-electra-base',
      'BAAI/bge-reranker-base',
      'mixedbread-ai/mxbai-rerank-xsmall-v1',
    ])
    const here = list.filter((model) => model.installed).map(({ name }) => name)
    expect(here).toEqual(['builtin/maxsim-en', installed])
  })

  it('gives every name to one model only', () => {
    const names = list.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    const own = modelNames({ modelsDir })
    expect(new Set([...names, ...own]).size).toBe(names.length + own.length)
  })

  it('knows the label of every model without its publisher', () => {
    for (const { name, repository = name, aliases = [] } of list) {
      expect(aliases).toContain(name.split('/')[1])
      if (repository !== name) expect(aliases).toContain(repository)
    }
  })
})

describe('the default', () => {
  const requires = (crossEncoder: string) =>
    requireDefaultRanker({ crossEncoder, modelsDir, fineTunedDir: 'fine-tuned' })

  it.each(['builtin/maxsim-en', 'ms-marco-MiniLM-L6-v2', 'mine', join(fineTunedDir, 'mine')])(
    'may be %s',
    async (name) => {
      await expect(requires(name)).resolves.toBeUndefined()
    },
  )

  it.each([
    ['gpt', '--cross-encoder: unknown model "gpt"; the nearest are '],
    ['/etc', 'unknown model "/etc"'],
    ['bge-reranker-base', 'synoptic models add FOLDER --name BAAI/bge-reranker-base'],
  ])('may not be %s: the server does not start', async (name, message) => {
    const refused = requires(name)
    await expect(refused).rejects.toThrow(SettingsError)
    await expect(refused).rejects.toThrow(message)
  })
})

describe('a name', () => {
  it.each([
    ['as listed', installed],
    ['of the hub today', 'cross-encoder/ms-marco-MiniLM-L6-v2'],
    ['label', 'ms-marco-MiniLM-L-6-v2'],
    ['label of the hub today', 'ms-marco-MiniLM-L6-v2'],
  ])('%s leads to the folder', async (_, name) => {
    expect(await resolve(name)).toMatchObject({
      name: installed,
      folder: join(modelsDir, installed),
      builtin: false,
    })
  })

  it('may be that of the built-in ranker', async () => {
    expect(await resolve('builtin/maxsim-en')).toMatchObject({ builtin: true })
  })

  it('may be the label or the path of a fine-tuned model', async () => {
    const place = { name: 'mine', folder: join(fineTunedDir, 'mine'), builtin: false }
    expect(await resolve('mine')).toEqual(place)
    expect(await resolve(join(fineTunedDir, 'mine'))).toEqual(place)
  })

  it.each(['ms-marco-electra-base', 'cross-encoder/ms-marco-electra-base'])(
    '%s: says how to install what is not here',
    async (name) => {
      const resolving = resolve(name)
      await expect(resolving).rejects.toThrow(ModelNotInstalledError)
      await expect(resolving).rejects.toMatchObject({
        remedy: 'synoptic models pull cross-encoder/ms-marco-electra-base',
      })
    },
  )

  it.each([
    [
      'a typing error',
      'ms-marco-MiniLM-L6-v3',
      'the nearest are cross-encoder/ms-marco-MiniLM-L-6-v2, ',
    ],
    ['a model of the other route', 'encoders/all-MiniLM-L6-v2', 'a model of /searchmodel'],
    ['a path elsewhere', '/etc/passwd', 'unknown model "/etc/passwd"'],
    ['a path that does not exist', '/does/not/exist', 'unknown model "/does/not/exist"'],
    ['steps upwards', '../fine-tuned/mine', 'unknown model "../fine-tuned/mine"'],
    ['a zero byte', 'mine\0', 'the label or path of a fine-tuned model'],
    ['the prototype', '__proto__', 'unknown model "__proto__"'],
    ['a very long name', 'x'.repeat(10_000), `unknown model "${'x'.repeat(100)}"`],
  ])('that is %s is refused', async (_, name, message) => {
    const problems: unknown[] = []
    await resolve(name).catch((error: unknown) => problems.push(error))
    const [error] = problems
    expect(error).toBeInstanceOf(ValidationError)
    const { problems: reported } = error as ValidationError
    expect(reported.map(({ path }) => path)).toEqual(['model_name'])
    expect(reported[0]?.message).toContain(message)
    expect(reported[0]?.message.length).toBeLessThan(1000)
    expect(reported[0]?.message).not.toContain(modelsDir)
  })
})
