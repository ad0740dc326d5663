import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EncoderError, ModelLoadError } from '#synoptic/base/errors/index.js'
import {
  copyModel,
  fixtures,
  openCross,
  rankingModels,
  reference,
  scorePairs,
  sharedCross,
} from './cross-models.js'

const tolerance = 1e-5

function expectScores(scores: readonly number[], expected: readonly number[]): void {
  expect(scores).toHaveLength(expected.length)
  const differences = scores.map((score, i) => Math.abs(score - (expected[i] ?? NaN)))
  expect(Math.max(...differences)).toBeLessThanOrEqual(tolerance)
}

describe('the reference', () => {
  it('distinguishes the pairs, so that a wrong score shows', () => {
    expect(rankingModels).toEqual(['bert', 'xlm-roberta', 'deberta-v2'])
    expect(reference.pairs).toHaveLength(30)
    for (const { pairs } of Object.values(reference.scores)) {
      expect(Math.max(...pairs) - Math.min(...pairs)).toBeGreaterThan(0.2)
      expect(new Set(pairs.map((score) => score.toFixed(4))).size).toBeGreaterThan(20)
    }
  })
})

describe.each(rankingModels)('%s', (name) => {
  const expected = reference.scores[name] ?? { pairs: [], longQueries: [] }

  it.each([1, 2, 8, 32, 512])('scores as sentence-transformers, batches of %i', async (size) => {
    const encoder = await sharedCross(name)
    expect(encoder).toMatchObject({ maxTokens: 64, device: 'cpu' })
    expectScores(await scorePairs(encoder, reference.pairs, size), expected.pairs)
  })

  it('scores every pair by itself as in company', async () => {
    const encoder = await sharedCross(name)
    const alone = await Promise.all(
      reference.pairs.map(async ([query, text]) => {
        const { scores } = await encoder.score(query, [text], { batchSize: 32 })
        return scores[0] ?? NaN
      }),
    )
    expectScores(alone, expected.pairs)
  })

  it('cuts a query that leaves the text too little, and says so', async () => {
    const encoder = await sharedCross(name)
    expectScores(await scorePairs(encoder, reference.longQueries, 8), expected.longQueries)
    for (const [query, text] of reference.longQueries) {
      const answer = await encoder.score(query, [text, text], { batchSize: 8 })
      expect(answer.queriesTruncated).toBe(2)
    }
  })

  it('counts the texts that it cuts', async () => {
    const encoder = await sharedCross(name)
    const texts = ['teacher', 'teacher '.repeat(500), 'octopus '.repeat(40), '']
    const answer = await encoder.score('a teacher', texts, { batchSize: 8 })
    expect(answer).toMatchObject({ textsTruncated: 1, queriesTruncated: 0 })
  })

  it.each([
    ['no text', [], 0],
    ['an empty text', [''], 1],
    ['half a surrogate pair', ['\ud83d', 'x\udc19y'], 2],
    ['a megabyte', ['teacher '.repeat(131_072)], 1],
  ])('bears %s', async (_, texts, count) => {
    const encoder = await sharedCross(name)
    const { scores } = await encoder.score('\ud83d', texts, { batchSize: 8 })
    expect(scores).toHaveLength(count)
    for (const score of scores) expect(score > 0 && score < 1).toBe(true)
  })
})

describe('the layouts', () => {
  const expected = reference.scores.bert?.pairs ?? []
  const older = { 'modules.json': null, 'config_sentence_transformers.json': null }
  const sigmoid = 'torch.nn.modules.activation.Sigmoid'
  const identity = 'torch.nn.modules.linear.Identity'

  it.each([
    ['of version 6', {}],
    ['older, without an activation', older],
    ['older, asking for the sigmoid', { ...older, 'config.json': activation(sigmoid) }],
    ['older, asking for the bare logit', { ...older, 'config.json': activation(identity) }],
    ['before version 4, the sigmoid', { ...older, 'config.json': oldActivation(sigmoid) }],
    ['before version 4, the bare logit', { ...older, 'config.json': oldActivation(identity) }],
    ['of version 6, the bare logit', { 'config_sentence_transformers.json': named(identity) }],
    ['of version 6, short', { 'config_sentence_transformers.json': named('torch.nn.Identity') }],
    ['of version 6, null', { 'config_sentence_transformers.json': named(null) }],
    ['with code of its own', { 'config_sentence_transformers.json': named('mine.Double') }],
    ['without sentence_bert_config.json', { 'sentence_bert_config.json': null }],
  ])('%s: one sigmoid', async (_, changes) => {
    const encoder = await openCross(copyModel('bert', changes))
    expectScores(await scorePairs(encoder, reference.pairs, 8), expected)
  })

  it('takes its length from whichever file sets it', async () => {
    const limits = [
      [{ 'tokenizer_config.json': { model_max_length: 32 } }, 32],
      [{ 'tokenizer_config.json': { model_max_length: 1e30 } }, 64],
      [{ 'sentence_bert_config.json': { max_seq_length: 48 } }, 48],
    ] as const
    for (const [changes, maxTokens] of limits) {
      expect(await openCross(copyModel('bert', changes))).toMatchObject({ maxTokens })
    }
    const roberta = copyModel('xlm-roberta', {
      'tokenizer_config.json': { model_max_length: 1e30 },
    })
    expect(await openCross(roberta)).toMatchObject({ maxTokens: 64 })
  })

  it.each([
    ['no config.json', { 'config.json': null }, 'config.json is missing'],
    ['a config.json that is no JSON', { 'config.json': '{' }, 'config.json cannot be read'],
    ['no tokenizer', { 'tokenizer.json': null }, 'tokenizer.json is missing'],
    ['a tokenizer that is none', { 'tokenizer.json': '{}' }, 'tokenizer.json cannot be read'],
    ['no ONNX file', { 'onnx/model.onnx': null }, 'onnx/model.onnx is missing'],
    ['an ONNX file that is none', { 'onnx/model.onnx': 'PK' }, 'onnx'],
    ['an empty ONNX file', { 'onnx/model.onnx': '' }, 'onnx/model.onnx'],
    [
      'a bi-encoder',
      { 'config_sentence_transformers.json': { model_type: 'SentenceTransformer' } },
      'expected CrossEncoder',
    ],
    [
      'an activation that is not known',
      { 'config_sentence_transformers.json': named('torch.nn.Tanh') },
      'expected Sigmoid or Identity',
    ],
    [
      'a module behind the Transformer',
      { 'modules.json': modules('Transformer', 'Dense') },
      'expected a Transformer alone',
    ],
    ['another module', { 'modules.json': modules('LogitScore') }, 'expected a Transformer alone'],
    ['no module', { 'modules.json': '[]' }, 'lists nothing'],
    [
      'a length without room',
      { 'tokenizer_config.json': { model_max_length: 4 } },
      'room for two texts',
    ],
  ])('%s is refused', async (_, changes, problem) => {
    const folder = copyModel('bert', changes)
    const opening = openCross(folder)
    await expect(opening).rejects.toThrow(ModelLoadError)
    await expect(opening).rejects.toThrow(problem)
    await expect(opening).rejects.not.toThrow(folder)
  })

  it('refuses a graph that gives several logits', async () => {
    const opening = openCross(join(fixtures, 'bert-three-labels'))
    await expect(opening).rejects.toThrow('gives 3 logits a pair; expected one')
  })

  function activation(name: string) {
    return { sentence_transformers: { activation_fn: name, version: '4.1.0' } }
  }
  function oldActivation(name: string) {
    return { sbert_ce_default_activation_function: name }
  }
  function named(name: string | null) {
    return { activation_fn: name }
  }
  function modules(...types: string[]) {
    const path = (i: number) => (i === 0 ? '' : `${i}_Module`)
    const list = types.map((type, i) => ({
      path: path(i),
      type: `sentence_transformers.x.${type}`,
    }))
    return JSON.stringify(list)
  }
})

describe('work in flight', () => {
  const texts = Array.from({ length: 20_000 }, (_, i) => `${'teacher '.repeat(i % 40)} octopus`)

  it('is dropped when its asker leaves, and others go on', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const asker = new AbortController()
    const reason = new Error('left')
    const exhaustive = encoder.score('octopus', texts, { batchSize: 8, signal: asker.signal })
    const outcome = expect(exhaustive).rejects.toBe(reason)
    // A small request is served between the batches of a large one.
    const small = await encoder.score('octopus', ['teacher'], { batchSize: 8 })
    expect(small.scores).toHaveLength(1)
    asker.abort(reason)
    await outcome
    const after = await encoder.score('octopus', ['teacher'], { batchSize: 8 })
    expect(after.scores).toEqual(small.scores)
  })

  it('is not begun when its asker has left already', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const signal = AbortSignal.abort(new Error('left'))
    await expect(encoder.score('x', ['y'], { batchSize: 8, signal })).rejects.toThrow('left')
  })

  it('is rejected when the encoder is closed', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const scoring = encoder.score('octopus', texts, { batchSize: 8 })
    const outcome = expect(scoring).rejects.toThrow(EncoderError)
    await encoder.close()
    await outcome
    await expect(encoder.score('x', ['y'], { batchSize: 8 })).rejects.toThrow('is closed')
  })

  it('takes turns: requests of several sizes have their own scores', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const scored = [1, 3, 8, 100].map((batchSize) =>
      scorePairs(encoder, reference.pairs, batchSize),
    )
    for (const scores of await Promise.all(scored)) {
      expectScores(scores, reference.scores.bert?.pairs ?? [])
    }
  })
})
