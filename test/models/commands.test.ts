/** `models pull` and `models check`. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npyHeader } from '#synoptic/data/embed/npy-writer.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestHub, startHub } from '../helpers/hub.js'
import { synopticHere } from '../helpers/run-here.js'
import { tinyRow, tinyTableWith, writeTinyModel } from '../helpers/tiny-model.js'

const name = 'encoders/all-MiniLM-L12-v1'
const repository = 'sentence-transformers/all-MiniLM-L12-v1'
const token = 'hf_s3cretOfTheTest'

let folder = ''
let modelsDir = ''
let hub: TestHub
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-models-'))
  modelsDir = join(folder, 'models')
  hub = await startHub()
})
afterEach(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})

const synoptic = (words: readonly string[], variables: Record<string, string> = {}) =>
  synopticHere([...words, '--models-dir', modelsDir], {
    env: { HF_ENDPOINT: hub.endpoint, ...variables },
  })

function publish(): void {
  const source = join(folder, 'source')
  writeTinyModel(source, { dimension: 384 })
  hub.publish(repository, source)
}

describe('models pull', () => {
  test('installs, says what next, and does nothing the second time', async () => {
    publish()
    const pulled = await synoptic(['models', 'pull', name])
    expect(pulled).toMatchObject({ code: 0, stderr: '' })
    expect(pulled.stdout).toMatch(
      /^encoders\/all-MiniLM-L12-v1: 384 dimensions, texts of at most 16 tokens, 0\.0 MB of commit [0-9a-f]{12} in .*\nNext: synoptic embed build --model encoders\/all-MiniLM-L12-v1\n$/,
    )
    const again = await synoptic(['models', 'pull', name])
    expect(again.code).toBe(0)
    expect(again.stdout).toMatch(/already installed/)
    writeTinyModel(join(folder, 'source'), { dimension: 384, maxTokens: 9 })
    hub.publish(repository, join(folder, 'source'))
    const replaced = await synoptic(['models', 'pull', name, '--replace'])
    expect(replaced.stderr).toMatch(
      /^warning: encoders\/all-MiniLM-L12-v1: commit [0-9a-f]{12} has replaced [0-9a-f]{12}; embeddings of it are stale until they are built again\n$/,
    )
    const list = await synoptic(['models', 'list'])
    expect(list.stdout).toMatch(/^encoders\/all-MiniLM-L12-v1 +installed +384 /m)
  })

  test('prints the dimension of a model where the catalogue has none', async () => {
    const source = join(folder, 'another')
    writeTinyModel(source, { dimension: 24 })
    hub.publish('toobi/anime', source)
    expect((await synoptic(['models', 'list'])).stdout).toMatch(/^community\/anime +- +- /m)
    expect(await synoptic(['models', 'pull', 'community/anime'])).toMatchObject({
      code: 0,
    })
    expect((await synoptic(['models', 'list'])).stdout).toMatch(
      /^community\/anime +installed +24 /m,
    )
  })

  test('one that fails does not stop the others', async () => {
    publish()
    const result = await synoptic(['models', 'pull', 'community/anime', name])
    expect(result.code).toBe(1)
    expect(result.stdout).toMatch(/^encoders\/all-Mini/)
    expect(result.stderr).toMatch(/^error: .* refused toobi\/anime at main \(401\)/)
  })

  test('never prints the token', async () => {
    publish()
    hub.protect(repository, 'hf_another', 403)
    const refused = await synoptic(['models', 'pull', name], { HF_TOKEN: token })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/\(403\): the account of HF_TOKEN may not read it/)
    hub.protect(repository, token)
    const pulled = await synoptic(['models', 'pull', name], { HF_TOKEN: token })
    expect(pulled.code).toBe(0)
    for (const { stdout, stderr } of [refused, pulled]) expect(stdout + stderr).not.toContain(token)
  })

  test.each<[string[], Record<string, string>, RegExp]>([
    [[], {}, /models pull: name a model/],
    [['encoders/all-miniLM-L12-v1'], {}, /the nearest are encoders\/all-MiniLM-L12-v1, /],
    [[name, '--dtype', 'int4'], {}, /--dtype: expected fp32, fp16, int8, received int4/],
    [[name, '--fast'], {}, /unknown option --fast/],
    [[name], { HF_ENDPOINT: 'ftp://example.org' }, /HF_ENDPOINT: expected an http\(s\) address/],
    [[name], { HF_TOKEN: 'one\ntwo' }, /HF_TOKEN: expected printable characters/],
  ])('%j with %j is refused', async (words, variables, problem) => {
    const result = await synoptic(['models', 'pull', ...words], variables)
    expect(result.code).toBe(2)
    expect(result.stderr).toMatch(problem)
    expect(result.stderr).not.toContain('one')
  })
})

describe('models check', () => {
  const own = 'fine_tuned_sbert_anime_model'
  const vectorOf = (words: readonly string[]) =>
    [0, 1, 2, 3].map(
      (i) => words.reduce((sum, word) => sum + (tinyRow(word)[i] ?? 0), 0) / words.length,
    )

  function writeReference(vector: readonly number[]): void {
    const target = join(modelsDir, own)
    writeTinyModel(target)
    writeFileSync(join(target, 'reference_texts.json'), '["alpha beta"]')
    const header = npyHeader({ rows: 1, dimension: 4 })
    const values = Buffer.from(Float32Array.from(vector).buffer)
    writeFileSync(join(target, 'reference_vectors.npy'), Buffer.concat([header, values]))
  }

  test('prints dimension, speed, memory, and how near the vectors are to the reference', async () => {
    writeReference(vectorOf(['[CLS]', 'alpha', 'beta', '[SEP]']))
    const result = await synoptic(['models', 'check', own])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toMatch(
      /^fine_tuned.*: 4 dimensions, texts of at most 16 tokens, on cpu$/m,
    )
    expect(result.stdout).toMatch(/^ {2}loading: \d+ ms, memory \d+ MB$/m)
    expect(result.stdout).toMatch(/^ {2}speed: \d+ texts a second, one short one \d+\.\d ms$/m)
    expect(result.stdout).toMatch(/^ {2}reference: 1 text, cosine at least (1\.0|0\.99999)\d*$/m)
  })

  test.each([
    ['NaN', NaN],
    ['zeros alone', 0],
  ])('fails where the vectors are %s', async (_, value) => {
    const every = ['[UNK]', '[CLS]', '[SEP]']
    writeTinyModel(join(modelsDir, own), { graph: { table: tinyTableWith(every, value) } })
    const result = await synoptic(['models', 'check', own])
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toContain('expected numbers for a text')
  })

  test('fails where the vectors are others', async () => {
    writeReference([1, 2, 3, 4])
    const result = await synoptic(['models', 'check', own])
    expect(result.code).toBe(1)
    expect(result.stdout).toMatch(/cosine at least -?0\.\d+; expected 0\.99999$/m)
  })

  test('knows where a pulled model came from', async () => {
    publish()
    await synoptic(['models', 'pull', name])
    const result = await synoptic(['models', 'check', name])
    expect(result.stdout).toMatch(/^ {2}source: sentence-transformers\/\S+ at [0-9a-f]{12}, fp32$/m)
    expect(result.stdout).toMatch(/^ {2}files: 6, all unchanged$/m)
    expect(result.code).toBe(0)
  })

  test.each([
    ['was changed', (file: string) => appendFileSync(file, ' ')],
    ['is gone', (file: string) => rmSync(file)],
  ])('finds a file of it that %s', async (_, harm) => {
    publish()
    await synoptic(['models', 'pull', name])
    harm(join(modelsDir, name, 'sentence_bert_config.json'))
    const result = await synoptic(['models', 'check', name])
    expect(result.code).toBe(1)
    expect(result.stdout).toMatch(
      /^ {2}files: changed since the pull: sentence_bert_config\.json; .synoptic models pull/m,
    )
  })

  test.each<[string[], number, RegExp]>([
    [[], 2, /expected one model name, received 0/],
    [['a', 'b'], 2, /received 2/],
    [['comunity/anime'], 2, /the nearest are community\/anime, /],
    [
      ['community/anime'],
      1,
      /not installed\. To install it, run `synoptic models pull community\/anime` or/,
    ],
  ])('%j is refused', async (words, code, problem) => {
    const result = await synoptic(['models', 'check', ...words])
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(problem)
  })
})
