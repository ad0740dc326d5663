/** Token lists of static models: written, checked and published with the matrices. */
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { checkFiles, openEmbeddings, requireTokens } from '#synoptic/data/embed/open-embeddings.js'
import { collectionStates } from '#synoptic/data/embed/status.js'
import { EmbeddingsStaleError } from '#synoptic/base/errors/index.js'
import { openMaxSim } from '#synoptic/native/addon/max-sim.js'
import { findTokenTable } from '#synoptic/data/embed/token-table.js'
import { describe, expect, test } from 'vitest'
import type { TinyModel } from '../helpers/tiny-model.js'
import { forgetTokens } from './older-build.js'
import { type Workshop, columns, model, openWorkshop, someTexts } from './workshop.js'

const [tokens, dimension] = [12, 64]
/** Its table is int8 rows and their scales, as the core maps them. */
const staticModel: TinyModel = {
  kind: 'StaticEmbedding',
  dimension,
  files: {
    'config.json': { model_type: 'static', hidden_size: dimension, vocab_size: tokens },
    'onnx/model.onnx_data': Buffer.alloc(tokens * (dimension + 4), 1),
  },
}

function openStatic(): Workshop {
  const workshop = openWorkshop()
  workshop.writeModel(staticModel)
  return workshop
}

async function listsOf(workshop: Workshop) {
  const embeddings = await openEmbeddings(await workshop.query())
  const table = await findTokenTable(workshop.modelFolder)
  if (table === undefined) throw new Error('no table')
  return { embeddings, index: await openMaxSim({ table, columns: requireTokens(embeddings) }) }
}

const statesOf = async ({ catalogue, embeddingsDir, folder }: Workshop, verify: boolean) => {
  const states = await collectionStates({
    catalogue,
    embeddingsDir,
    modelsDir: `${folder}/models`,
    verify,
  })
  return states.find((state) => state.model === model)
}

describe('a static model', () => {
  test('has the tokens of every text listed, and none where there is no text', async () => {
    const workshop = openStatic()
    const built = await workshop.build()
    expect(built.columns.map(({ tokens }) => basename(tokens?.path ?? ''))).toEqual([
      'synopsis.tokens',
      'Synopsis_other_Dataset.tokens',
    ])
    const { embeddings, index } = await listsOf(workshop)
    expect(await checkFiles(embeddings)).toEqual([])
    expect(index.columns).toEqual(columns)
    expect(index.rows).toBe(someTexts.length)
    // All rows of this table are alike, so any token finds any other.
    const weights = Float32Array.of(1)
    const measure = { exponent: 1, fullCosine: 1, weights }
    const { scores, columns: best } = await index.score(Uint16Array.of(4), [measure])
    expect([...scores].map(Math.round)).toEqual([1, 1, 1, 0, 1])
    expect([...best]).toEqual([0, 0, 0, 0xffff, 0])
    index.close()
  })

  test('is not built again while nothing is wrong', async () => {
    const workshop = openStatic()
    expect((await workshop.build()).encoded).toBe(5)
    const before = readFileSync(workshop.paths().manifest)
    await workshop.build()
    expect(readFileSync(workshop.paths().manifest)).toEqual(before)
    expect(await statesOf(workshop, true)).toMatchObject({ state: 'current' })
  })

  test('gets lists in addition to an older build, and no text is encoded for it', async () => {
    const workshop = openStatic()
    await workshop.build()
    forgetTokens(workshop.paths().manifest)
    const older = await openEmbeddings(await workshop.query())
    expect(await checkFiles(older)).toEqual([])
    expect(() => requireTokens(older)).toThrow(EmbeddingsStaleError)
    expect(await statesOf(workshop, false)).toMatchObject({
      state: 'stale',
      problem: 'the token lists of synopsis are missing, which /search needs',
      remedy: `synoptic embed build --dataset anime --model ${model}`,
    })
    expect((await workshop.build()).encoded).toBe(0)
    expect(await statesOf(workshop, true)).toMatchObject({ state: 'current' })
    ;(await listsOf(workshop)).index.close()
  })

  test.each<[string, (file: string) => void, string]>([
    ['missing', (file) => rmSync(file), 'synopsis.tokens is missing'],
    ['cut', (file) => truncateSync(file, 70), 'synopsis.tokens is damaged'],
    ['empty', (file) => truncateSync(file, 0), 'synopsis.tokens is damaged'],
    ['changed', (file) => change(file, 90), 'synopsis.tokens is damaged'],
    ['of another header', (file) => change(file, 16), 'synopsis.tokens is damaged'],
  ])('with a list that is %s is mended by a build', async (_, harm, problem) => {
    const workshop = openStatic()
    const { columns: built } = await workshop.build()
    harm(built[0]?.tokens?.path ?? '')
    const embeddings = await openEmbeddings(await workshop.query())
    expect(await checkFiles(embeddings)).toEqual([problem])
    expect(await statesOf(workshop, true)).toMatchObject({ state: 'damaged', problem })
    expect((await workshop.build()).encoded).toBe(0)
    expect(await statesOf(workshop, true)).toMatchObject({ state: 'current' })
  })

  test('does not take the lists of another column for its own', async () => {
    const workshop = openStatic()
    const { columns: built } = await workshop.build()
    const [first, second] = built.map(({ tokens }) => tokens?.path ?? '')
    writeFileSync(first ?? '', readFileSync(second ?? ''))
    expect(await checkFiles(await openEmbeddings(await workshop.query()))).toEqual([
      'synopsis.tokens is of other texts or of another model',
    ])
  })

  test('loses the lists of a column that is gone', async () => {
    const workshop = openStatic()
    const { columns: built } = await workshop.build()
    workshop.setTexts([['alpha']], ['synopsis'])
    await workshop.build()
    expect(() => readFileSync(built[1]?.tokens?.path ?? '')).toThrow('ENOENT')
    expect((await listsOf(workshop)).embeddings.columns).toHaveLength(1)
  })
})

describe('no lists are written', () => {
  test.each<[string, TinyModel]>([
    ['a transformer', {}],
    ['a static model without such a table', { kind: 'StaticEmbedding' }],
    [
      'one whose table is of another size',
      { ...staticModel, files: { ...staticModel.files, 'onnx/model.onnx_data': Buffer.alloc(9) } },
    ],
  ])('of %s', async (_, tiny) => {
    const workshop = openWorkshop()
    workshop.writeModel(tiny)
    const { columns: built } = await workshop.build()
    expect(built.map(({ tokens }) => tokens)).toEqual([undefined, undefined])
    expect(await statesOf(workshop, true)).toMatchObject({ state: 'current' })
  })
})

function change(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}
