/** A user's model whose vectors depend on the other texts of a batch. */
import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEncoder } from '#synoptic/models/encoders/open-encoder.js'
import { readModelNames } from '#synoptic/models/registry/registry.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { synopticHere } from '../helpers/run-here.js'

const name = 'mine/int8'
const texts = ['a teacher', 'Two brothers search for a stone.', 'a robot!', 'the sea, the sea']

let folder = ''
let modelsDir = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-batches-'))
  modelsDir = join(folder, 'models')
})
afterEach(() => rmSync(folder, { recursive: true }))

const synoptic = (...words: string[]) => synopticHere([...words, '--models-dir', modelsDir])
const add = (model: string, ...words: string[]) =>
  synoptic('models', 'add', `test/fixtures/encoders/${model}`, '--name', name, '--new', ...words)
const customJson = () => JSON.parse(readFileSync(join(modelsDir, 'custom.json'), 'utf8')) as unknown

/** How many texts the model reads at once, and whether each has the vector that it has alone. */
async function encode() {
  readModelNames({ modelsDir })
  const sizes: number[] = []
  const metrics = { batch: (_: string, { texts: size }: { texts: number }) => sizes.push(size) }
  const encoder = await openEncoder(requireInstalled(name, { modelsDir }), { threads: 1, metrics })
  try {
    const { vectors } = await encoder.encode(texts)
    const together = [...sizes]
    const alone: number[] = []
    for (const text of texts) alone.push(...(await encoder.encode([text])).vectors)
    return { together, isSame: alone.every((value, i) => value === vectors[i]) }
  } finally {
    await encoder.close()
  }
}

describe('a model whose vectors depend on the batch', () => {
  test('is found by models add and models check, and reads one text at a time', async () => {
    const added = await add('bert-int8')
    const line =
      /^ {2}batches: a vector depends on the other texts of its batch \(cosine 0\.9\d+\), so the model reads one text at a time$/m
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(added.stdout).toMatch(line)
    expect(customJson()).toEqual({ models: [{ name }] })
    expect((await synoptic('models', 'check', name)).stdout).toMatch(line)
    expect(await encode()).toEqual({ together: [1, 1, 1, 1], isSame: true })
  })

  test('reads batches where its entry allows it', async () => {
    const added = await add('bert-int8', '--batches')
    expect(added.stdout).toMatch(/\(cosine 0\.9\d+\), and custom\.json lets it read batches$/m)
    expect(customJson()).toEqual({ models: [{ name, batches: true }] })
    const checked = await synoptic('models', 'check', name)
    expect(checked.stdout).toMatch(/, and custom\.json lets it read batches$/m)
    expect(await encode()).toEqual({ together: [4], isSame: false })
  })

  test('reads one text at a time again once custom.json says so', async () => {
    await add('bert-int8', '--batches')
    writeFileSync(join(modelsDir, 'custom.json'), JSON.stringify({ models: [{ name }] }))
    expect(await encode()).toEqual({ together: [1, 1, 1, 1], isSame: true })
  })
})

test('a model of float32 reads batches, and nothing is printed', async () => {
  expect((await add('bert')).stdout).not.toContain('batches:')
  expect((await synoptic('models', 'check', name)).stdout).not.toContain('batches:')
  expect((await encode()).together).toEqual([4])
})

test('--batches is refused for a known name, without an entry in custom.json', async () => {
  cpSync('test/fixtures/encoders/bert-int8', join(folder, 'model'), { recursive: true })
  const words = ['--name', 'encoders/all-MiniLM-L6-v2', '--batches']
  const refused = await synoptic('models', 'add', join(folder, 'model'), ...words)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('--batches: expected --new')
})
