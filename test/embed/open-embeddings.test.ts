import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { checkFiles, openEmbeddings } from '#synoptic/data/embed/open-embeddings.js'
import { EmbeddingsMissingError, EmbeddingsStaleError } from '#synoptic/base/errors/index.js'
import { describe, expect, test } from 'vitest'
import { type Workshop, columns, manyTexts, model, openWorkshop, someTexts } from './workshop.js'

const remedy = `synoptic embed build --dataset anime --model ${model}`

/** The error of an opening, and what it says differs. */
async function refusal(workshop: Workshop): Promise<{ error: unknown; why: string }> {
  const error: unknown = await openEmbeddings(await workshop.query()).catch((e: unknown) => e)
  expect(error).toMatchObject({ remedy })
  const cause = error instanceof Error ? error.cause : undefined
  return { error, why: cause instanceof Error ? cause.message : '' }
}

test('what was built is opened, in the order of the columns', async () => {
  const workshop = openWorkshop()
  const built = await workshop.build()
  const embeddings = await openEmbeddings(await workshop.query())
  expect(embeddings.columns.map(({ name }) => name)).toEqual(columns)
  expect(embeddings.columns).toEqual(built.columns)
  expect(await checkFiles(embeddings)).toEqual([])
})

describe('missing', () => {
  test('everything', async () => {
    expect((await refusal(openWorkshop())).error).toBeInstanceOf(EmbeddingsMissingError)
  })

  test('a file', async () => {
    const workshop = openWorkshop()
    const { columns: files } = await workshop.build()
    rmSync(files[1]?.path ?? '')
    expect((await refusal(workshop)).error).toBeInstanceOf(EmbeddingsMissingError)
  })
})

describe('stale', () => {
  const stale = async (change: (workshop: Workshop, path: string) => void, problem: RegExp) => {
    const workshop = openWorkshop()
    const { columns: files } = await workshop.build()
    change(workshop, files[0]?.path ?? '')
    const { error, why } = await refusal(workshop)
    expect(error).toBeInstanceOf(EmbeddingsStaleError)
    expect(why).toMatch(problem)
  }

  test('by another text', () =>
    stale(
      ({ setTexts }) => setTexts([...someTexts.slice(0, 4), ['alpha', 'eta theta']]),
      /^dataset version: expected [0-9a-f]{64}, found [0-9a-f]{64}$/,
    ))

  test('by another model under the name', () =>
    stale(({ writeModel }) => writeModel({ maxTokens: 9 }), /^model revision: expected/))

  test('by a manifest that is no JSON', () =>
    stale(({ paths }) => writeFileSync(paths().manifest, '{"format": 1'), /^manifest\.json: /))

  test('by a manifest of another format', () =>
    stale(
      ({ paths }) => writeFileSync(paths().manifest, '{"format": 7}'),
      /^manifest\.json: format/,
    ))

  test('by a manifest that names a file elsewhere', () =>
    stale(({ paths }) => {
      const manifest = readFileSync(paths().manifest, 'utf8')
      writeFileSync(paths().manifest, manifest.replace('synopsis.npy', '../synopsis.npy'))
    }, /^manifest\.json: columns\.0\.file/))

  test('by a file that is cut', () =>
    stale((_, path) => truncateSync(path, 130), /^synopsis\.npy: expected 208 bytes, found 130$/))

  test('by a file of the same size', () =>
    stale((_, path) => {
      const bytes = readFileSync(path)
      bytes.writeFloatLE(0.5, 128)
      writeFileSync(path, bytes)
    }, /^synopsis\.npy is not the file that was built$/))
})

test('damage deep inside a file is found when it is read whole', async () => {
  const workshop = openWorkshop(manyTexts(4096))
  const { columns: files } = await workshop.build()
  const path = files[0]?.path ?? ''
  const bytes = readFileSync(path)
  bytes.writeFloatLE(0.5, bytes.length >> 1)
  writeFileSync(path, bytes)
  const embeddings = await openEmbeddings(await workshop.query())
  expect(await checkFiles(embeddings)).toEqual([
    expect.stringMatching(/^synopsis: expected SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}$/),
  ])
})
