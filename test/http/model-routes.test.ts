import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ProblemBody } from '#synoptic/server/problems/problem.js'
import { listModels } from '#synoptic/models/registry/registry.js'
import {
  createModelList,
  type ModelDetails,
  type ModelNames,
} from '#synoptic/models/registry/model-list.js'
import { createServedModelList } from '#synoptic/server/serve/served-model-list.js'
import { createTestApp } from './harness.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-models-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const modelsDir = join(scratch, 'models')
const fineTunedDir = join(modelsDir, 'fine-tuned')

function write(path: string, content: unknown): void {
  const file = join(modelsDir, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

// A sentence-transformers folder with everything but weights.
const installed = 'encoders/all-MiniLM-L6-v2'
write(`${installed}/modules.json`, [
  { path: '', type: 'sentence_transformers.models.Transformer' },
  { path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
])
write(`${installed}/1_Pooling/config.json`, { pooling_mode_mean_tokens: true })
write(`${installed}/config.json`, { hidden_size: 384, max_position_embeddings: 512 })
write(`${installed}/sentence_bert_config.json`, { max_seq_length: 200 })
write(`${installed}/tokenizer.json`, {})
write(`${installed}/onnx/model.onnx`, 'x'.repeat(1000))
// An own model of the catalogue, which says nothing of its dimension there.
write('fine_tuned_sbert_anime_model/modules.json', [
  { path: '', type: 'sentence_transformers.models.Transformer' },
  { path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
])
write('fine_tuned_sbert_anime_model/1_Pooling/config.json', {
  pooling_mode_mean_tokens: true,
  pooling_mode_max_tokens: true,
})
write('fine_tuned_sbert_anime_model/config.json', { d_model: 100, max_position_embeddings: 64 })
write('fine_tuned_sbert_anime_model/tokenizer.json', {})
write('fine_tuned_sbert_anime_model/onnx/model.onnx', '')
// One that ends with another width than it begins with.
write('fine_tuned_sbert_model_anime/modules.json', [
  { path: '', type: 'sentence_transformers.models.Transformer' },
  { path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
  { path: '2_Dense', type: 'sentence_transformers.models.Dense' },
  { path: '3_Normalize', type: 'sentence_transformers.models.Normalize' },
])
write('fine_tuned_sbert_model_anime/1_Pooling/config.json', { pooling_mode_cls_token: true })
write('fine_tuned_sbert_model_anime/2_Dense/config.json', { in_features: 768, out_features: 321 })
write('fine_tuned_sbert_model_anime/config.json', { hidden_size: 768 })
write('fine_tuned_sbert_model_anime/tokenizer.json', {})
write('fine_tuned_sbert_model_anime/onnx/model.onnx', '')
// Files that cannot be read.
write('community/anime/modules.json', 'no JSON')
write('community/anime/config.json', '{')
// The user's cross-encoders, and other folders.
write('fine-tuned/anime-finetuned/config.json', { max_position_embeddings: 512, hidden_size: 64 })
write('fine-tuned/anime-finetuned/tokenizer_config.json', { model_max_length: 128 })
write('fine-tuned/anime-finetuned/tokenizer.json', {})
write('fine-tuned/anime-finetuned/onnx/model.onnx', '')
write('fine-tuned/with space/config.json', {})
write('fine-tuned/unfinished/tokenizer.json', {})
write('fine-tuned/notes.txt', 'no folder')
symlinkSync(join(fineTunedDir, 'with space'), join(fineTunedDir, 'linked'))
symlinkSync(join(scratch, 'nowhere'), join(fineTunedDir, 'dangling'))
symlinkSync(join(scratch, 'nowhere'), join(modelsDir, installed, 'dangling'))

const category = 'Similarity models'
const appOf = (directory: string) =>
  createTestApp(
    {},
    {
      modelList: createModelList({
        categories: {
          [category]: { list: () => listModels({ modelsDir }), endpoints: ['/searchmodel'] },
        },
        fineTunedDir: directory,
        fineTunedEndpoints: ['/search'],
      }),
    },
  ).app
const app = appOf(fineTunedDir)

async function detailsOf(name: string): Promise<ModelDetails> {
  const response = await app.request(`/models/${name}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  return (await response.json()) as ModelDetails
}

describe('GET /models', () => {
  it.each([
    [
      ['all'],
      ['/search', '/v1/rerank', '/v2/rerank', '/rerank'],
      ['/searchmodel', '/similar', '/v1/embeddings', '/embed', '/similarity'],
    ],
    [
      ['models', 'v1'],
      ['/v1/rerank', '/v2/rerank', '/rerank'],
      ['/v1/embeddings', '/embed', '/similarity'],
    ],
    [['models', 'similar', 'search'], ['/search'], ['/similar']],
    [['models'], [], []],
  ])(
    'of a server with the routes %s names these alone',
    async (enableRoutes, rankers, encoders) => {
      const modelList = createServedModelList({ enableRoutes, modelsDir, fineTunedDir })
      const { app } = createTestApp({}, { modelList })
      const { endpoints } = (await (await app.request('/models')).json()) as ModelNames
      expect(endpoints).toEqual({
        'Semantic Search': rankers,
        'Similarity models': encoders,
        fine_tuned: rankers,
      })
      const details = await app.request('/models/anime-finetuned')
      expect(await details.json()).toMatchObject({ endpoints: rankers })
    },
  )

  it('maps categories to names to descriptions, and labels to paths', async () => {
    const response = await app.request('/models')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    const answer = (await response.json()) as ModelNames
    expect(Object.keys(answer)).toEqual(['models', 'fine_tuned', 'endpoints'])
    expect(answer.endpoints).toEqual({ [category]: ['/searchmodel'], fine_tuned: ['/search'] })
    expect(Object.keys(answer.models)).toEqual([category])
    const listed = Object.entries(answer.models[category] ?? {})
    expect(listed).toHaveLength(listModels({ modelsDir }).length)
    for (const [name, description] of listed) {
      expect(name).toMatch(/^[\w./-]+$/)
      expect(description.length).toBeGreaterThan(10)
    }
    expect(answer.fine_tuned).toEqual({
      'anime-finetuned': join(fineTunedDir, 'anime-finetuned'),
      linked: join(fineTunedDir, 'linked'),
      'with space': join(fineTunedDir, 'with space'),
    })
  })

  it.each([
    ['no folder of fine-tuned models', join(scratch, 'nowhere')],
    ['a file in its place', join(fineTunedDir, 'notes.txt')],
  ])('%s: none is listed', async (_, directory) => {
    const response = await appOf(directory).request('/models')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ fine_tuned: {} })
  })

  it('sees a model that comes while the server runs', async () => {
    const directory = join(scratch, 'later')
    const later = appOf(directory)
    expect(await (await later.request('/models')).json()).toMatchObject({ fine_tuned: {} })
    mkdirSync(join(directory, 'new'), { recursive: true })
    writeFileSync(join(directory, 'new', 'config.json'), '{}')
    expect(await (await later.request('/models')).json()).toMatchObject({
      fine_tuned: { new: join(directory, 'new') },
    })
  })
})

describe('GET /models/{name}', () => {
  it.each([installed, installed.replace('/', '%2F'), installed.replace('/', '%2f')])(
    '%s: returns what its files say',
    async (name) => {
      expect(await detailsOf(name)).toMatchObject({
        name: installed,
        category,
        endpoints: ['/searchmodel'],
        installed: true,
        dimension: 384,
        maximum_tokens: 200,
      })
    },
  )

  it('counts the bytes of every file', async () => {
    const { size_bytes: size } = await detailsOf(installed)
    expect(size).toBeGreaterThan(1000)
    write(`${installed}/onnx/model.onnx_data`, 'x'.repeat(2345))
    expect((await detailsOf(installed)).size_bytes).toBe((size ?? 0) + 2345)
  })

  it('returns what the catalogue knows of a model that is not installed', async () => {
    expect(await detailsOf('encoders/all-mpnet-base-v2')).toEqual({
      name: 'encoders/all-mpnet-base-v2',
      category,
      description: 'General use; the best of the all- family.',
      endpoints: ['/searchmodel'],
      installed: false,
      dimension: 768,
      maximum_tokens: 384,
      size_bytes: null,
      memory_bytes: 109_486_464 * 4 + 32 * 2 ** 20,
    })
  })

  it('reads the dimension of a model where the catalogue lacks it', async () => {
    expect(await detailsOf('fine_tuned_sbert_anime_model')).toMatchObject({
      installed: true,
      dimension: 200,
      maximum_tokens: 64,
    })
    expect(await detailsOf('fine_tuned_sbert_model_anime')).toMatchObject({
      installed: true,
      dimension: 321,
    })
    expect(await detailsOf('encoders/fine_tuned_sbert_anime_model')).toMatchObject({
      installed: false,
      dimension: null,
      maximum_tokens: null,
      size_bytes: null,
    })
  })

  it('leaves out what broken files do not tell', async () => {
    expect(await detailsOf('community/anime')).toMatchObject({
      installed: true,
      dimension: null,
      maximum_tokens: null,
      size_bytes: 8,
    })
  })

  it.each([
    ['label', 'anime-finetuned'],
    ['path', join(fineTunedDir, 'anime-finetuned')],
    ['path in one part', encodeURIComponent(join(fineTunedDir, 'anime-finetuned'))],
  ])('finds a fine-tuned model by its %s', async (_, name) => {
    expect(await detailsOf(name)).toMatchObject({
      name: join(fineTunedDir, 'anime-finetuned'),
      category: 'fine_tuned',
      installed: true,
      dimension: null,
      maximum_tokens: 128,
    })
  })

  it('finds a name with a space', async () => {
    expect(await detailsOf('with%20space')).toMatchObject({ category: 'fine_tuned' })
  })

  it.each([
    ['a name that nothing has', 'gpt', 404],
    ['a name in other case', 'Encoders/all-MiniLM-L6-v2', 404],
    ['a folder that is no model', 'unfinished', 404],
    ['a file', 'notes.txt', 404],
    ['a part of a name', 'encoders', 404],
    ['a name and more', `${installed}/onnx`, 404],
    ['steps upwards', '..%2F..%2Fetc%2Fpasswd', 404],
    ['steps upwards within the folder', 'fine-tuned%2F..%2Fcommunity%2Fanime', 404],
    ['an absolute path', '%2Fetc', 404],
    ['a member of the prototype', 'constructor', 404],
    ['a zero byte', 'x%00y', 404],
    ['a broken escape', '%E0%A4%A', 404],
    ['nothing', '', 404],
  ])('does not find %s', async (_, name, status) => {
    const response = await app.request(`/models/${name}`)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const { type, detail } = (await response.json()) as ProblemBody
    expect(type).toBe('urn:synoptic:problem:not-found')
    expect(detail).not.toContain('passwd')
  })

  it('suggests the nearest name', async () => {
    const response = await app.request('/models/encoders/all-MiniLM-L6-v3')
    expect(((await response.json()) as ProblemBody).detail).toMatch(
      /did you mean encoders\/all-Mini/,
    )
  })

  it.each(['/models', `/models/${installed}`])('%s is read, not written', async (path) => {
    const refused = await app.request(path, { method: 'POST' })
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    const preflight = await app.request(path, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
  })
})
