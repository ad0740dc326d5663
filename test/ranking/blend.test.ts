import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelFileError } from '#synoptic/encoders/model-files.js'
import { readBlend } from '#synoptic/ranking/blend.js'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-blend-'))
afterAll(() => rmSync(folder, { recursive: true }))

const good = {
  model_type: 'maxsim',
  encoder: 'builtin/static-en',
  maxsim: { exponent: 3, full_cosine: 0.9 },
  logistic: { bias: -4, cosine: 1, bm25: 0.5, maxsim: 2 },
}

function write(content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(folder, 'config.json'), text)
}

test('a blend is read as it stands', async () => {
  write(good)
  expect(await readBlend(folder)).toEqual({
    encoder: 'builtin/static-en',
    exponent: 3,
    fullCosine: 0.9,
    weights: { bias: -4, cosine: 1, bm25: 0.5, maxsim: 2 },
  })
})

test('the one that ships is sound', async () => {
  const { encoder, weights } = await readBlend('models/builtin/maxsim-en')
  expect(encoder).toBe('builtin/static-en')
  const { cosine, bm25, maxsim } = weights
  expect(Math.min(cosine, bm25, maxsim)).toBeGreaterThan(0)
})

describe('refused is', () => {
  test.each([
    ['no JSON', '{"model_type"', /^config\.json cannot be read/],
    ['another kind', { ...good, model_type: 'bert' }, /^config\.json: model_type/],
    ['a member too many', { ...good, fused: true }, /^config\.json: fused/],
    ['no encoder', { ...good, encoder: undefined }, /^config\.json: encoder/],
    ['a broken power', { ...good, maxsim: { exponent: 2.5, full_cosine: 1 } }, /maxsim\.exponent/],
    ['a power of 17', { ...good, maxsim: { exponent: 17, full_cosine: 1 } }, /maxsim\.exponent/],
    ['a cosine of 0', { ...good, maxsim: { exponent: 2, full_cosine: 0 } }, /full_cosine/],
    ['a cosine above 1', { ...good, maxsim: { exponent: 2, full_cosine: 1.1 } }, /full_cosine/],
    ['a weight in words', { ...good, logistic: { ...good.logistic, bm25: '1' } }, /logistic\.bm25/],
    ['no bias', { ...good, logistic: { cosine: 1, bm25: 1, maxsim: 1 } }, /logistic\.bias/],
  ])('%s', async (_, content, problem) => {
    write(content)
    const reading = readBlend(folder)
    await expect(reading).rejects.toThrow(ModelFileError)
    await expect(reading).rejects.toThrow(problem)
  })

  test('nothing', async () => {
    rmSync(join(folder, 'config.json'))
    await expect(readBlend(folder)).rejects.toThrow('config.json is missing')
  })
})
