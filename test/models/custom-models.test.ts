/** One's own models: custom.json in the folder of models. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SettingsError } from '#synoptic/base/errors/index.js'
import { addModel } from '#synoptic/models/tools/add.js'
import {
  entriesOf,
  isAllowedModel,
  listModels,
  modelNames,
  readModelNames,
} from '#synoptic/models/registry/registry.js'
import { listCrossEncoders, resolveCrossEncoder } from '#synoptic/models/registry/cross-encoders.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeTinyModel } from '../helpers/tiny-model.js'

let folder = ''
let modelsDir = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-custom-'))
  modelsDir = join(folder, 'models')
  mkdirSync(modelsDir)
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (content: unknown) =>
  writeFileSync(
    join(modelsDir, 'custom.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  )

/** Whatever is wrong with custom.json. */
function problems(): readonly string[] {
  try {
    readModelNames({ modelsDir })
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

const model = { name: 'mine/anime', summary: 'Of my own texts.', dimension: 4, parameters: 1000 }
const ranker = { name: 'mine/ranker', aliases: ['ranker'], repository: 'somebody/ranker' }

describe('custom.json', () => {
  test('adds models and cross-encoders behind those of the program', () => {
    const names = modelNames({ modelsDir: join(folder, 'nothing') })
    write({ models: [model], crossEncoders: [ranker] })
    expect(problems()).toEqual([])
    expect(modelNames({ modelsDir })).toEqual([...names, 'mine/anime'])
    const place = { folder: join(modelsDir, 'mine', 'anime'), installed: false, builtin: false }
    expect(listModels({ modelsDir }).at(-1)).toEqual({ ...model, ...place, kind: 'encoder' })
    expect(listCrossEncoders({ modelsDir }).at(-1)).toMatchObject({
      ...ranker,
      summary: 'Your own model.',
      kind: 'cross-encoder',
    })
    expect(isAllowedModel('mine/anime', { modelsDir })).toBe(true)
    expect(isAllowedModel('mine/ranker', { modelsDir })).toBe(false)
  })

  test('has models of this folder alone', () => {
    write({ models: [model] })
    expect(isAllowedModel('mine/anime', { modelsDir })).toBe(true)
    expect(isAllowedModel('mine/anime', { modelsDir: folder })).toBe(false)
  })

  test('is read once, and again when a server reloads; a broken one changes nothing', () => {
    const before = entriesOf({ modelsDir })
    write({ models: [model] })
    expect(entriesOf({ modelsDir })).toBe(before)
    readModelNames({ modelsDir })
    expect(isAllowedModel('mine/anime', { modelsDir })).toBe(true)
    write('{')
    expect(problems()).toHaveLength(1)
    expect(isAllowedModel('mine/anime', { modelsDir })).toBe(true)
  })

  test('needs no member', () => {
    write({})
    expect(problems()).toEqual([])
  })

  test('a model of it is added, and held to what it says', async () => {
    write({ models: [model], crossEncoders: [ranker] })
    const source = join(folder, 'source')
    const add = () =>
      addModel({ path: source, name: 'mine/anime', modelsDir, copy: false, replace: false })
    writeTinyModel(source, { dimension: 5 })
    await expect(add()).rejects.toThrow(/expected vectors of 4 dimensions, the model has 5/)
    writeTinyModel(source)
    expect(await add()).toMatchObject({ name: 'mine/anime', dimension: 4 })
    const rank = (name: string) =>
      resolveCrossEncoder(name, { modelsDir, fineTunedDir: join(modelsDir, 'fine-tuned') })
    await expect(rank('ranker')).rejects.toThrow(
      /mine\/ranker is not installed\. To install it, run `synoptic models/,
    )
    await expect(rank('rankers')).rejects.toThrow(/the nearest are mine\/ranker, /)
  })
})

describe('a new name', () => {
  const add = (name: string, path: string) =>
    addModel({ path, name, isNew: true, modelsDir, copy: true, replace: false })
  const source = () => join(folder, 'source')

  test('is written into custom.json next to what is there, for models and cross-encoders', async () => {
    writeTinyModel(source())
    expect(await add('mine/first', source())).toMatchObject({ dimension: 4 })
    expect(await add('second', 'test/fixtures/models/bert')).toMatchObject({ maxTokens: 64 })
    expect(await add('third', 'test/fixtures/models/deberta-v2')).toMatchObject({ maxTokens: 64 })
    expect(JSON.parse(readFileSync(join(modelsDir, 'custom.json'), 'utf8'))).toEqual({
      models: [{ name: 'mine/first' }],
      crossEncoders: [{ name: 'second' }, { name: 'third' }],
    })
    expect(readdirSync(modelsDir).sort()).toEqual(['custom.json', 'mine', 'second', 'third'])
    readModelNames({ modelsDir })
    const own = listModels({ modelsDir }).at(-1)
    expect(own).toMatchObject({ name: 'mine/first', installed: true })
  })

  test('that is known already needs none', async () => {
    writeTinyModel(source())
    expect(await add('fine_tuned_sbert_anime_model', source())).toMatchObject({ dimension: 4 })
    expect(readdirSync(modelsDir)).toEqual(['fine_tuned_sbert_anime_model'])
  })

  test.each<[string, string, string, RegExp]>([
    ['a name that may not be', 'builtin/mine', '', /whose folder would be in builtin\//],
    ['a name of three parts', 'a/b/c', '', /expected one or two parts/],
    ['a folder that is not there', 'mine', 'nowhere', /there is no folder .*nowhere/],
    ['a model that does not work', 'mine', 'broken', /cannot be loaded/],
  ])('%s leaves custom.json as it was', async (_, name, path, problem) => {
    writeTinyModel(source())
    writeTinyModel(join(source(), 'broken'), { files: { 'onnx/model.onnx': 'none' } })
    await expect(add(name, join(source(), path))).rejects.toThrow(problem)
    expect(readdirSync(modelsDir)).toEqual([])
    const before = '{"models": [{"name": "other"}]}'
    write(before)
    readModelNames({ modelsDir })
    await expect(add(name, join(source(), path))).rejects.toThrow(problem)
    expect(readFileSync(join(modelsDir, 'custom.json'), 'utf8')).toBe(before)
    expect(modelNames({ modelsDir }).at(-1)).toBe('other')
    expect(readdirSync(modelsDir)).toEqual(['custom.json'])
  })
})

describe('is refused, and the member named', () => {
  const shipped = 'encoders/all-MiniLM-L6-v2'
  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{"models": [', /top level: Invalid JSON/],
    ['no object', [model], /top level: expected an object .* received a list/],
    ['null', 'null', /top level: expected Object, received null/],
    ['an unknown list', { encoders: [] }, /encoders: unknown member$/],
    ['no list', { models: {} }, /models: expected Array, received Object$/],
    ['no name', { models: [{ summary: 'x' }] }, /models\.0\.name: required$/],
    ['a name with a space', { models: [{ name: 'my model' }] }, /models\.0\.name: expected one or/],
    ['steps upwards', { models: [{ name: '../x' }] }, /models\.0\.name: expected one or two parts/],
    ['three parts', { models: [{ name: 'a/b/c' }] }, /models\.0\.name: expected one or two parts/],
    ['a misspelt member', { models: [{ ...model, dim: 4 }] }, /models\.0\.dim: unknown member$/],
    ['a dimension in words', { models: [{ ...model, dimension: '4' }] }, /models\.0\.dimension: /],
    ['no dimension', { models: [{ ...model, dimension: 0 }] }, /models\.0\.dimension: /],
    ['half a token', { models: [{ ...model, maxTokens: 1.5 }] }, /models\.0\.maxTokens: /],
    ['a pooling', { models: [{ ...model, pooling: 'median' }] }, /models\.0\.pooling: .*"mean"/],
    ['an address', { models: [{ ...model, repository: 'https://x.y/z' }] }, /publisher\/name/],
    ['a revision', { models: [{ ...model, revision: 'a b' }] }, /a commit, tag or branch/],
    ['a pooling of pairs', { crossEncoders: [{ ...ranker, pooling: 'cls' }] }, /\.0\.pooling: /],
    ['a name that ships', { models: [model, { name: shipped }] }, /models\.1\.name: .*that ships/],
    [
      'other capitals',
      { models: [{ name: shipped.toUpperCase() }] },
      /which is encoders\/all-Mini/,
    ],
    ['an alias that ships', { models: [{ name: 'maxsim-en' }] }, /which is maxsim-en of the cat/],
    ['a name as alias', { crossEncoders: [{ ...ranker, aliases: [shipped] }] }, /0\.aliases\.0: /],
    ['twice the same', { models: [model, model] }, /models\.1\.name: .*of models\.0\.name/],
    ['a model as ranker', { models: [model], crossEncoders: [model] }, /crossEncoders\.0\.dimens/],
    ['a folder of others', { models: [{ name: 'encoders' }] }, /two folders would be in the other/],
    [
      'a folder in another',
      { models: [{ name: 'mine' }, model] },
      /models\.1\.name: .*two folders/,
    ],
    ['what ships', { models: [{ name: 'builtin/mine' }] }, /whose folder would be in builtin\//],
    ['fine-tuned ones', { models: [{ name: 'fine-tuned/x' }] }, /would be in fine-tuned\//],
  ])('%s', (_, content, problem) => {
    write(content)
    expect(problems().join('\n')).toMatch(problem)
    expect(problems().every((line) => line.startsWith(join(modelsDir, 'custom.json')))).toBe(true)
  })

  test('every problem at once, before any command begins', async () => {
    write({ models: [{ ...model, dimension: -1 }, { name: 'a b' }] })
    const line = ['dist/cli.js', 'models', 'list', '--models-dir', modelsDir]
    const failed = await promisify(execFile)(process.execPath, line).catch(
      (error: unknown) => error,
    )
    expect(failed).toMatchObject({ code: 2 })
    expect((failed as { stderr: string }).stderr).toMatch(
      /custom\.json: models\.0\.dimension: [^]*custom\.json: models\.1\.name: /,
    )
  })

  test('a file that cannot be read', () => {
    mkdirSync(join(modelsDir, 'custom.json'))
    expect(problems().join()).toMatch(/custom\.json cannot be read: EISDIR/)
  })
})
