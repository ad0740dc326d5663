/** The whole way of a model: pulled from a hub, texts embedded, served, queried. All names of the specification. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { type NamedEncoders, createNamedEncoders } from '../helpers/named-encoders.js'
import { type ResolvedModel, listModels } from '#synoptic/models/registry/registry.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestHub, startHub } from '../helpers/hub.js'
import { architectureOf, writeSubstitute } from '../helpers/substitute-model.js'
import { type ServerChild, ask, cli, startServer } from './child.js'
import { writeTexts } from './few-texts.js'

const texts = [
  'The students of a class have one year to kill their teacher, who is a yellow octopus.',
  'Two brothers search for a stone that gives back what they have lost.',
  "A boy finds a notebook; whoever's name is written in it dies.",
  'Humanity lives behind three walls, because giants eat whom they find.',
  'Girls drive tanks after school, and their school is a ship.',
]
const description = 'a teacher who is a yellow octopus'

/** One of each family goes all of its way by the commands; the others share their code. */
const byCommand = [
  'encoders/all-MiniLM-L6-v2',
  'encoders/all-mpnet-base-v2',
  'encoders/all-distilroberta-v1',
  'encoders/multi-qa-distilbert-dot-v1',
  'encoders/gtr-t5-base',
  'fine_tuned_sbert_anime_model',
]

const folder = mkdtempSync(join(tmpdir(), 'synoptic-whole-way-'))
const modelsDir = join(folder, 'models')
const embeddingsDir = join(folder, 'embeddings')
/** Somebody's own, which goes the same way. */
const own = { name: 'mine/tiny', repository: 'somebody/tiny', revision: 'v1', dimension: 24 }
mkdirSync(modelsDir)
writeFileSync(join(modelsDir, 'custom.json'), JSON.stringify({ models: [own] }))
const models = listModels({ modelsDir }).filter(({ builtin }) => !builtin)
let hub: TestHub
let encoders: NamedEncoders
let server: ServerChild

async function synoptic(...words: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HF_ENDPOINT: hub.endpoint }
  const options = { cwd: folder, env }
  return (await promisify(execFile)(process.execPath, [cli, ...words], options)).stdout
}

/** Fetched where a hub has it, added where it is somebody's own. */
async function install({ name, repository, revision, dimension = 768 }: ResolvedModel) {
  const source = join(folder, 'sources', name)
  writeSubstitute(source, architectureOf(name), dimension)
  if (repository === undefined) {
    return synoptic('models', 'add', source, '--name', name, '--copy')
  }
  hub.publish(repository, source, revision)
  return undefined
}

/** Of the description and the texts. */
const encodings = new Map<string, Float32Array>()

async function encodeAndBuildOthers(): Promise<void> {
  const catalogue = openCatalogue(join(folder, 'data', 'catalogue.sqlite'))
  try {
    for (const { name, folder: modelFolder } of models) {
      const encoder = await encoders.get(name)
      const [query, passages] = [
        await encoder.encode([description], { as: 'query' }),
        await encoder.encode(texts, { as: 'passage' }),
      ]
      encodings.set(name, Float32Array.of(...query.vectors, ...passages.vectors))
      const place = { catalogue, encoder, modelFolder, embeddingsDir }
      if (!byCommand.includes(name)) await buildEmbeddings({ ...place, dataset: 'anime' })
      await encoders.release(name)
    }
  } finally {
    catalogue.close()
  }
}

beforeAll(async () => {
  hub = await startHub()
  encoders = createNamedEncoders({ modelsDir, threads: 1 })
  writeTexts(folder, texts)
  for (const model of models) await install(model)
  const published = models.filter(({ repository }) => repository !== undefined)
  await synoptic('models', 'pull', ...published.map(({ name }) => name))
  for (const name of byCommand) await synoptic('embed', 'build', '--model', name)
  await encodeAndBuildOthers()
  server = await startServer(folder, ['--rate-limit', '0', '--workers', '1'])
}, 600_000)

afterAll(async () => {
  await server.stop()
  await encoders.close()
  await hub.close()
  rmSync(folder, { recursive: true })
})

test('there are 24 names in addition to the built-in ones, the model of languages, and one of custom.json', () => {
  expect(models.length).toBe(24 + 1 + 1)
  expect(models.at(-1)).toMatchObject(own)
})

describe.each(models.map(({ name, dimension }) => ({ name, dimension })))(
  '$name',
  ({ name, dimension = 768 }) => {
    test('answers as its vectors say', async () => {
      const vectors = encodings.get(name) ?? new Float32Array()
      expect(vectors).toHaveLength((1 + texts.length) * dimension)
      const row = (i: number) => vectors.subarray(i * dimension, (i + 1) * dimension)
      const dot = (a: Float32Array, b: Float32Array) =>
        a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0)
      const cosine = (a: Float32Array, b: Float32Array) =>
        dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
      const expected = texts
        .map((_, i) => ({ id: i + 1, similarity: cosine(row(0), row(i + 1)) }))
        .sort((a, b) => b.similarity - a.similarity)

      const { status, body } = await ask(server.origin, { model: name, description })
      expect(status).toBe(200)
      const results = body.results as { id: number; similarity: number }[]
      expect(results.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      for (const [i, { similarity }] of results.entries()) {
        expect(similarity).toBeCloseTo(expected[i]?.similarity ?? NaN, 5)
      }
    })
  },
)
