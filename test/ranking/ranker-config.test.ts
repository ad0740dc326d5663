import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelFileError } from '#synoptic/models/format/model-files.js'
import { fitWeightsOf, readRankerConfig } from '#synoptic/search/ranking/ranker-config.js'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-ranker-'))
afterAll(() => rmSync(folder, { recursive: true }))

const weights = { bias: -4, cosine: 1, bm25: 0.5, maxsim: 2 }
const fit = {
  title: 9,
  fulfilled: 8,
  fulfilledBeside: 7,
  similar: 6,
  broken: -5,
  popularity: 0.4,
  notMain: -0.3,
  firstBySequel: 0.5,
  sequel: -2,
  minTextShare: 0.1,
}
const nothing = {
  best: -1,
  ahead: -0.5,
  explained: 0.5,
  words: -1,
  bias: 2,
  from: 0.6,
  mostExplained: 0.7,
}
const good = {
  model_type: 'maxsim',
  tokens: 'builtin/static-en',
  maxsim: { exponent: 3, full_cosine: 0.9, together: 0.5 },
  logistic: { mine: weights },
  languages: { mine: { ...weights, popularity: 4 } },
  fit,
  nothing_fits: nothing,
}

const withMaxSim = (changed: object) => ({ ...good, maxsim: { ...good.maxsim, ...changed } })

function write(content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(folder, 'config.json'), text)
}

test('a configuration is read unchanged', async () => {
  write(good)
  expect(await readRankerConfig(folder)).toEqual({
    tokens: 'builtin/static-en',
    exponent: 3,
    fullCosine: 0.9,
    together: 0.5,
    rankerWeights: new Map([['mine', weights]]),
    languageWeights: new Map([['mine', { ...weights, popularity: 4 }]]),
    fit,
    nothingFits: nothing,
  })
})

test('the one that ships is sound', async () => {
  const config = await readRankerConfig('models/builtin/maxsim-en')
  expect(config.tokens).toBe('builtin/static-en')
  expect([...config.rankerWeights.keys()]).toEqual([
    'builtin/static-en',
    'builtin/minilm-anime',
    'encoders/all-MiniLM-L6-v2',
  ])
  for (const { bias, cosine, bm25, maxsim } of config.rankerWeights.values()) {
    expect(Math.min(-bias, cosine, bm25, maxsim)).toBeGreaterThan(0)
  }
})

describe('refused is', () => {
  test.each([
    ['no JSON', '{"model_type"', /^config\.json cannot be read/],
    ['another kind', { ...good, model_type: 'bert' }, /^config\.json: model_type/],
    ['a member too many', { ...good, fused: true }, /^config\.json: fused/],
    ['no model of the tokens', { ...good, tokens: undefined }, /^config\.json: tokens/],
    ['a broken power', withMaxSim({ exponent: 2.5 }), /maxsim\.exponent/],
    ['a power of 17', withMaxSim({ exponent: 17 }), /maxsim\.exponent/],
    ['a cosine of 0', withMaxSim({ full_cosine: 0 }), /full_cosine/],
    ['a cosine above 1', withMaxSim({ full_cosine: 1.1 }), /full_cosine/],
    ['no share of all texts', withMaxSim({ together: undefined }), /maxsim\.together/],
    ['a share of more than all', withMaxSim({ together: 1.1 }), /maxsim\.together/],
    [
      'a weight in words',
      { ...good, logistic: { mine: { ...weights, bm25: '1' } } },
      /logistic\.mine\.bm25/,
    ],
    [
      'no bias',
      { ...good, logistic: { mine: { ...weights, bias: undefined } } },
      /logistic\.mine\.bias/,
    ],
    ['no fit', { ...good, fit: undefined }, /^config\.json: fit/],
    ['a fit without a weight', { ...good, fit: { ...fit, similar: undefined } }, /fit\.similar/],
    ['a share above 1', { ...good, fit: { ...fit, minTextShare: 1.1 } }, /fit\.minTextShare/],
    [
      'a share of sequels above 1',
      { ...good, fit: { ...fit, firstBySequel: 2 } },
      /fit\.firstBySequel/,
    ],
    ['no weights of nothing', { ...good, nothing_fits: undefined }, /^config\.json: nothing_fits/],
    [
      'a threshold above 1',
      { ...good, nothing_fits: { ...nothing, from: 1.1 } },
      /nothing_fits\.from/,
    ],
    ['weights of no encoder', { ...good, logistic: weights }, /logistic\.bias/],
  ])('%s', async (_, content, problem) => {
    write(content)
    const reading = readRankerConfig(folder)
    await expect(reading).rejects.toThrow(ModelFileError)
    await expect(reading).rejects.toThrow(problem)
  })

  test('nothing', async () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    const reading = readRankerConfig(empty)
    await expect(reading).rejects.toThrow(ModelFileError)
    await expect(reading).rejects.toThrow('config.json is missing')
  })
})

describe('weights of one’s own', () => {
  const own = join(folder, 'own.json')
  const read = (content: unknown) => {
    writeFileSync(own, JSON.stringify(content))
    return fitWeightsOf({ rankerWeights: own }, { fit })
  }

  test('are taken as they stand', async () => {
    const others = { ...fit, title: 1, sequel: -3 }
    expect(await read(others)).toEqual(others)
  })

  test('of an earlier version order series as the product does', async () => {
    const { firstBySequel, sequel, ...earlier } = { ...fit, title: 1 }
    expect(await read(earlier)).toEqual({ ...earlier, firstBySequel, sequel })
  })

  test.each([
    ['a weight is missing', { ...fit, title: undefined }],
    ['a weight is unknown', { ...fit, prequel: 1 }],
    ['a share is none', { ...fit, firstBySequel: -1 }],
  ])('are refused where %s', async (_, content) => {
    await expect(read(content)).rejects.toThrow('--ranker-weights: expected a file that')
  })
})
