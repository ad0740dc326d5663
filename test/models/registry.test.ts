import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelAddError, ModelLoadError, UnknownModelError } from '#synoptic/base/errors/index.js'
import { type AddModelOptions, addModel } from '#synoptic/models/tools/add.js'
import { isAllowedModel, listModels, modelNames } from '#synoptic/models/registry/registry.js'
import { resolveModel } from '#synoptic/models/registry/resolve-model.js'
import { listCrossEncoders } from '#synoptic/models/registry/cross-encoders.js'
import { modelRevision } from '#synoptic/models/format/revision.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeTinyModel } from '../helpers/tiny-model.js'

let folder = ''
let modelsDir = ''
let source = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-models-'))
  modelsDir = join(folder, 'models')
  source = join(folder, 'source')
  writeTinyModel(source)
})
afterEach(() => rmSync(folder, { recursive: true }))

const own = 'fine_tuned_sbert_anime_model'

describe('the catalogue', () => {
  test('has the models of the specification and those that ship', () => {
    expect(modelNames({ modelsDir })).toEqual([
      'builtin/static-en',
      'builtin/minilm-anime',
      'encoders/all-distilroberta-v1',
      'encoders/all-MiniLM-L6-v1',
      'encoders/all-MiniLM-L12-v1',
      'encoders/all-MiniLM-L6-v2',
      'encoders/all-MiniLM-L12-v2',
      'encoders/all-mpnet-base-v1',
      'encoders/all-mpnet-base-v2',
      'encoders/all-roberta-large-v1',
      'encoders/gtr-t5-base',
      'encoders/gtr-t5-large',
      'encoders/gtr-t5-xl',
      'encoders/multi-qa-distilbert-dot-v1',
      'encoders/multi-qa-mpnet-base-cos-v1',
      'encoders/multi-qa-mpnet-base-dot-v1',
      'encoders/paraphrase-distilroberta-base-v2',
      'encoders/paraphrase-mpnet-base-v2',
      'encoders/sentence-t5-base',
      'encoders/sentence-t5-large',
      'encoders/sentence-t5-xl',
      'encoders/sentence-t5-xxl',
      'intfloat/multilingual-e5-small',
      'community/anime',
      'encoders/fine_tuned_sbert_anime_model',
      'fine_tuned_sbert_anime_model',
      'fine_tuned_sbert_model_anime',
    ])
  })

  test('knows publishers, and folders by name', () => {
    const find = (name: string) => resolveModel(name, { modelsDir })
    expect(find('encoders/all-MiniLM-L6-v2')).toMatchObject({
      repository: 'sentence-transformers/all-MiniLM-L6-v2',
      folder: join(modelsDir, 'encoders', 'all-MiniLM-L6-v2'),
      dimension: 384,
      installed: false,
      builtin: false,
    })
    expect(find('community/anime').repository).toBe('toobi/anime')
    expect(find(own)).toMatchObject({ folder: join(modelsDir, own) })
    expect(find(own).repository).toBeUndefined()
    for (const name of ['builtin/static-en', 'builtin/minilm-anime'])
      expect(find(name)).toMatchObject({ installed: true, builtin: true })
  })

  test('pins commits, which stand for the same files for ever', () => {
    const all = [...listModels({ modelsDir }), ...listCrossEncoders({ modelsDir })]
    const pinned = all.filter(({ revision }) => revision !== undefined)
    expect(pinned.every(({ revision = '' }) => /^[0-9a-f]{40}$/.test(revision))).toBe(true)
    expect(new Set(pinned.map(({ revision }) => revision)).size).toBe(pinned.length)
    expect(pinned.every(({ repository }) => repository !== undefined)).toBe(true)
  })

  test('allows exact names only', () => {
    expect(isAllowedModel('encoders/gtr-t5-xl', { modelsDir })).toBe(true)
    for (const name of [
      '',
      'gtr-t5-xl',
      'encoders/gtr-t5-xl ',
      'ENCODERS/gtr-t5-xl',
      '../models',
    ]) {
      expect(isAllowedModel(name, { modelsDir }), name).toBe(false)
      expect(() => resolveModel(name, { modelsDir })).toThrow(UnknownModelError)
    }
  })
})

describe('add', () => {
  const add = (options: Partial<AddModelOptions> = {}) =>
    addModel({ path: source, name: own, modelsDir, copy: false, replace: false, ...options })

  test('links a folder', async () => {
    const added = await add()
    expect(added).toEqual({ name: own, folder: join(modelsDir, own), dimension: 4, maxTokens: 16 })
    expect(lstatSync(added.folder).isSymbolicLink()).toBe(true)
    expect(resolveModel(own, { modelsDir }).installed).toBe(true)
    expect(listModels({ modelsDir }).filter(({ installed }) => installed).length).toBe(3)
  })

  test('copies a folder, which then needs nothing else', async () => {
    const { folder: place } = await add({ copy: true })
    rmSync(source, { recursive: true })
    expect(lstatSync(place).isDirectory()).toBe(true)
    expect(existsSync(join(place, 'onnx', 'model.onnx'))).toBe(true)
    expect(readdirSync(modelsDir)).toEqual([own])
  })

  test('takes the place of another only on request', async () => {
    await add({ copy: true })
    const other = join(folder, 'other')
    writeTinyModel(other, { maxTokens: 9 })
    await expect(add({ path: other })).rejects.toThrow(/is there already; --replace/)
    expect((await add({ path: other, replace: true })).maxTokens).toBe(9)
    expect(existsSync(join(source, 'modules.json'))).toBe(true)
    expect((await add({ replace: true })).maxTokens).toBe(16)
    expect(existsSync(join(other, 'modules.json'))).toBe(true)
  })

  test.each<[string, () => Partial<AddModelOptions>, new (...args: never[]) => Error, RegExp]>([
    ['no folder', () => ({ path: join(folder, 'nowhere') }), ModelAddError, /there is no folder/],
    ['a file', () => ({ path: join(source, 'modules.json') }), ModelLoadError, /is missing/],
    ['a name that nobody knows', () => ({ name: 'mine' }), UnknownModelError, /"mine"/],
    ['the name of what ships', () => ({ name: 'builtin/static-en' }), ModelAddError, /ships/],
    [
      'vectors of another dimension',
      () => ({ name: 'encoders/all-MiniLM-L6-v2' }),
      ModelAddError,
      /expected vectors of 384 dimensions, the model has 4/,
    ],
  ])('refuses %s', async (_, options, kind, problem) => {
    const adding = add(options())
    await expect(adding).rejects.toThrow(kind)
    await expect(adding).rejects.toThrow(problem)
    expect(existsSync(modelsDir)).toBe(false)
  })

  test('refuses a folder that does not work, and leaves what is there', async () => {
    await add({ copy: true })
    const broken = join(folder, 'broken')
    writeTinyModel(broken, { files: { 'tokenizer.json': '{}' } })
    await expect(add({ path: broken, replace: true })).rejects.toThrow(ModelLoadError)
    expect(existsSync(join(modelsDir, own, 'tokenizer.json'))).toBe(true)
    await expect(add({ path: join(modelsDir, own), replace: true })).rejects.toThrow(/itself/)
    expect(existsSync(join(modelsDir, own, 'modules.json'))).toBe(true)
  })
})

describe('the revision', () => {
  test('is that of the content, not of the place', async () => {
    const other = join(folder, 'other')
    writeTinyModel(other)
    writeFileSync(join(other, 'README.md'), 'Nothing that decides a vector.')
    const revision = await modelRevision(source)
    expect(revision).toMatch(/^[0-9a-f]{64}$/)
    expect(await modelRevision(other)).toBe(revision)
  })

  test.each([
    'modules.json',
    'sentence_bert_config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    '1_Pooling/config.json',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
  ])('changes with %s', async (file) => {
    const revision = await modelRevision(source)
    writeFileSync(join(source, file), '[]')
    expect(await modelRevision(source)).not.toBe(revision)
  })

  test('of large files too, by samples of them', async () => {
    const data = Buffer.alloc(20 * 2 ** 20, 'weights')
    const file = join(source, 'onnx', 'model.onnx_data')
    writeFileSync(file, data)
    const revision = await modelRevision(source)
    for (const place of [0, data.length - 1]) {
      const changed = Buffer.from(data)
      changed[place] = 0
      writeFileSync(file, changed)
      expect(await modelRevision(source)).not.toBe(revision)
    }
    writeFileSync(
      file,
      data.map((byte) => byte ^ 1),
    )
    expect(await modelRevision(source)).not.toBe(revision)
    writeFileSync(file, data)
    expect(await modelRevision(source)).toBe(revision)
  })
})
