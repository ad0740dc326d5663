/** Vectors over /v1/embeddings are those of sentence-transformers, which lie next to the real model. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkerEncoder } from '#synoptic/models/encoders/worker-encoder.js'
import { type Embeddings, lengthOf, miniLm, openV1Scene, vectorsOf } from './scene.js'

const model = 'encoders/all-MiniLM-L6-v2'
const dimension = 384

// It stops its server after the file's tests, so it is opened outside of them.
const scene = miniLm === undefined ? undefined : await openV1Scene()

test.skipIf(miniLm === undefined)('all-MiniLM-L6-v2 over a socket', async () => {
  if (scene === undefined) return
  const { post, json } = scene
  const folder = miniLm ?? ''
  const all = JSON.parse(readFileSync(join(folder, 'reference_texts.json'), 'utf8')) as string[]
  const file = readFileSync(join(folder, 'reference_vectors.npy'))
  const start = 10 + file.readUInt16LE(8)
  // A blank text is refused; OpenAI refuses an empty one.
  const rows = all.flatMap((text, row) => (text.trim() === '' ? [] : [row]))
  const input = rows.map((row) => all[row] ?? '')
  const ask = () => json<Embeddings>(post('/v1/embeddings', { model, input }))
  // By the worker that is there first, and by those that the first texts together have started.
  const [answer, again] = [await ask(), await ask()]
  const cosines = [...vectorsOf(answer), ...vectorsOf(again)].map((vector, position) => {
    const row = rows[position % rows.length] ?? 0
    const expected = vector.map((_, i) => file.readFloatLE(start + (row * dimension + i) * 4))
    const dot = vector.reduce((sum, value, i) => sum + value * (expected[i] ?? NaN), 0)
    return dot / (lengthOf(vector) * lengthOf(expected))
  })
  expect(cosines.length).toBeGreaterThan(200)
  // What `models check` requires.
  expect(Math.min(...cosines)).toBeGreaterThan(0.99999)

  const encoder = await openWorkerEncoder({ model, folder, threads: 1 })
  const { tokens } = await encoder.encode(input, { priority: 'bulk' })
  await encoder.close()
  const total = tokens.reduce((sum, count) => sum + count, 0)
  expect(answer.usage).toEqual({ prompt_tokens: total, total_tokens: total })

  const ids = await json<Embeddings>(
    post('/v1/embeddings', { model, input: [[101, 1037, 8957, 102]] }),
  )
  const text = await json<Embeddings>(post('/v1/embeddings', { model, input: ['a robot'] }))
  expect(ids).toEqual(text)
})
