/** A server on the sample, with the user's models, as clients of other servers call it. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { fixtures } from '../../encoders/cross-models.js'
import { sharedServer } from '../../helpers/shared.js'
import { startServer } from '../../serve/child.js'
import { importSample } from '../../serve/sample.js'

const encoders = fileURLToPath(new URL('../../fixtures/encoders', import.meta.url))

/** Where the real model lies; undefined where it does not. */
export const miniLm = (() => {
  const models = resolve(process.env.SYNOPTIC_TEST_MODELS ?? '../shared/models')
  const folder = join(models, 'all-MiniLM-L6-v2')
  return existsSync(join(folder, 'onnx', 'model.onnx')) ? folder : undefined
})()

/** A server of its own, which stops after the file's tests. */
export async function openV1Scene(words: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-v1-'))
  await prepare(folder)
  const server = await startServer(folder, ['--workers', '1', ...words])
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  return sceneOf(server.origin, folder)
}

/** The server that several files share. */
export async function sharedV1Scene() {
  const words = ['--workers', '1', '--v1-max-inputs', '100']
  const { origin, folder } = await sharedServer('v1', words, prepare)
  return sceneOf(origin, folder)
}

async function prepare(folder: string): Promise<void> {
  await importSample(folder)
  const models = join(folder, 'models')
  mkdirSync(join(models, 'own'), { recursive: true })
  mkdirSync(join(models, 'encoders'))
  const copy = (from: string, name: string) =>
    cpSync(from, join(models, ...name.split('/')), { recursive: true })
  copy(join(encoders, 'bert'), 'own/nesting')
  copy(join(encoders, 'mpnet'), 'own/published')
  const config = join(models, 'own', 'published', 'config.json')
  const published = JSON.parse(readFileSync(config, 'utf8')) as object
  writeFileSync(config, JSON.stringify({ ...published, matryoshka_dimensions: [8] }))
  const prompts = join(models, 'own', 'published', 'config_sentence_transformers.json')
  writeFileSync(prompts, JSON.stringify({ prompts: { document: '', query: 'ship at ' } }))
  copy(join(fixtures, 'bert'), 'own/pairs')
  copy(join(fixtures, 'bert'), 'own/absent')
  rmSync(join(models, 'own', 'absent', 'config.json'))
  copy(join(fixtures, 'bert-three-labels'), 'fine-tuned/three-labels')
  if (miniLm !== undefined) symlinkSync(miniLm, join(models, 'encoders', 'all-MiniLM-L6-v2'))
  const custom = {
    models: [{ name: 'own/nesting', matryoshkaDimensions: [2, 4] }, { name: 'own/published' }],
    crossEncoders: [{ name: 'own/pairs' }, { name: 'own/absent' }],
  }
  writeFileSync(join(models, 'custom.json'), JSON.stringify(custom))
}

function sceneOf(origin: string, folder: string) {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  /** The body of an answer with that status. */
  async function json<T>(response: Promise<Response>, status = 200): Promise<T> {
    const answer = await response
    const text = await answer.text()
    if (answer.status !== status) throw new Error(`expected ${status}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }

  return { origin, folder, post, json, get: (path: string) => fetch(`${origin}${path}`) }
}

export interface Embeddings {
  readonly object: string
  readonly data: readonly {
    readonly object: string
    readonly index: number
    readonly embedding: readonly number[] | string
  }[]
  readonly model: string
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number }
}

export const vectorsOf = ({ data }: Embeddings): number[][] =>
  data.map(({ embedding }) => [...(embedding as readonly number[])])

export const lengthOf = (vector: readonly number[]): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
