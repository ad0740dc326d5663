import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { NativeError } from '#synoptic/base/errors/index.js'
import {
  type MaxSimIndex,
  type MaxSimOptions,
  openMaxSim,
  openTextScorer,
} from '#synoptic/native/addon/max-sim.js'
import { awkwardTable, randomNumbers, scaleOf, source, writeIndex } from './max-sim-files.js'
import { type OracleIndex, oracleScores } from './max-sim-oracle.js'
import { guardsMappedFiles } from './scratch-folder.js'

const opened: MaxSimIndex[] = []
afterEach(() => {
  for (const index of opened.splice(0)) index.close()
})

async function open(options: MaxSimOptions): Promise<MaxSimIndex> {
  const index = await openMaxSim(options)
  opened.push(index)
  return index
}

function makeIndex(tokens: number, dimension: number, rows: number, seed = 1): OracleIndex {
  const random = randomNumbers(seed)
  const list = (row: number) =>
    row % 7 === 3
      ? []
      : [...new Set(Array.from({ length: 1 + (row % 90) }, () => Math.floor(random() * tokens)))]
  const column = () => Array.from({ length: rows }, (_, row) => list(row))
  return { dimension, table: awkwardTable(tokens, dimension, seed), columns: [column(), column()] }
}

function measuresOf(count: number, random: () => number) {
  return [3, 1, 16].map((exponent) => ({
    exponent,
    fullCosine: exponent === 1 ? 1 : 0.75 / exponent,
    weights: Float32Array.from({ length: count }, () => random() * 9),
  }))
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('scores', () => {
  it.each([
    [64, 1],
    [64, 31],
    [128, 32],
    [256, 33],
    [256, 100],
    [1024, 8],
  ])('has the oracle’s bits at %i dimensions and %i tokens', async (dimension, count) => {
    const index = makeIndex(300, dimension, 400, dimension + count)
    const random = randomNumbers(count)
    const native = await open(writeIndex(index))
    const tokens = upTo(count).map((token) => (token * 37) % 300)
    const measures = measuresOf(count, random)
    const all = await native.score(Uint16Array.from(tokens), measures)
    expect(all).toEqual(oracleScores(index, tokens, measures, upTo(400)))
  })

  it('are the same for a few rows as for all', async () => {
    const index = makeIndex(500, 64, 1000)
    const native = await open(writeIndex(index))
    const tokens = Uint16Array.from([7, 8, 9, 499])
    const measures = measuresOf(4, randomNumbers(3))
    const all = await native.score(tokens, measures)
    const rows = Uint32Array.from([999, 0, 17, 17, 500])
    const some = await native.score(tokens, measures, { rows })
    rows.forEach((row, position) => {
      expect(some.scores.slice(position * 3, position * 3 + 3)).toEqual(
        all.scores.slice(row * 3, row * 3 + 3),
      )
      expect(some.together.slice(position * 3, position * 3 + 3)).toEqual(
        all.together.slice(row * 3, row * 3 + 3),
      )
      expect(some.columns[position]).toBe(all.columns[row])
    })
  })

  it('are 1 for the words themselves, 0 for opposite, zero and no words', async () => {
    const table = awkwardTable(8, 64, 5)
    const native = await open(
      writeIndex({ dimension: 64, table, columns: [[[4, 6], [5], [0], []]] }),
    )
    const weights = Float32Array.of(2, 1)
    const result = await native.score(Uint16Array.of(4, 6), [
      { exponent: 3, fullCosine: 1, weights },
    ])
    expect(result.scores[0]).toBe(1)
    expect([...result.scores.slice(2)]).toEqual([0, 0])
    expect([...result.columns]).toEqual([0, 0, 0, 0xffff])
  })

  it('of all texts together find what no text has alone', async () => {
    const table = awkwardTable(8, 64, 5)
    const columns = [
      [[4], [4, 6], []],
      [[6], [], []],
    ]
    const native = await open(writeIndex({ dimension: 64, table, columns }))
    const measure = { exponent: 3, fullCosine: 1, weights: Float32Array.of(2, 1) }
    const { scores, together } = await native.score(Uint16Array.of(4, 6), [measure])
    expect(scores[0]).toBeLessThan(1)
    expect([...together]).toEqual([1, 1, 0])
  })

  it('name the better text, the lower column of equals', async () => {
    const table = awkwardTable(8, 64, 5)
    const columns = [
      [[7], [4], []],
      [[4], [3], [4]],
    ]
    const native = await open(writeIndex({ dimension: 64, table, columns }))
    const measure = { exponent: 3, fullCosine: 1, weights: Float32Array.of(1) }
    const result = await native.score(Uint16Array.of(4), [measure])
    expect([...result.columns]).toEqual([1, 0, 1])
  })

  it('are 0 for a query without tokens or without weight', async () => {
    const native = await open(writeIndex(makeIndex(10, 64, 3)))
    const none = await native.score(new Uint16Array(), [
      { exponent: 3, fullCosine: 1, weights: new Float32Array() },
    ])
    expect([...none.scores]).toEqual([0, 0, 0])
    const weightless = { exponent: 3, fullCosine: 1, weights: Float32Array.of(0) }
    expect([...(await native.score(Uint16Array.of(4), [weightless])).scores]).toEqual([0, 0, 0])
  })

  it('of no rows are empty', async () => {
    const native = await open(writeIndex(makeIndex(10, 64, 3)))
    const measure = { exponent: 3, fullCosine: 1, weights: Float32Array.of(1) }
    const result = await native.score(Uint16Array.of(4), [measure], { rows: new Uint32Array() })
    const { scores, together, columns } = result
    expect([scores.length, together.length, columns.length]).toEqual([0, 0, 0])
  })

  it('of many requests at the same time do not mix', async () => {
    const index = makeIndex(400, 64, 600)
    const native = await open(writeIndex(index))
    const weights = Float32Array.of(1, 2)
    const requests = upTo(40).map((i) => [(i * 7) % 400, (i * 11 + 1) % 400])
    const results = await Promise.all(
      requests.map((tokens) =>
        native.score(Uint16Array.from(tokens), [{ exponent: 3, fullCosine: 1, weights }]),
      ),
    )
    results.forEach((result, i) => {
      const tokens = requests[i] ?? []
      expect(result).toEqual(
        oracleScores(index, tokens, [{ exponent: 3, fullCosine: 1, weights }], upTo(600)),
      )
    })
  })
})

describe('scores of texts in no list', () => {
  const index = makeIndex(300, 64, 200)
  const { table } = writeIndex(index)
  const lists = index.columns[0] ?? []
  const textTokens = Uint16Array.from(lists.flat())
  const counts = Uint32Array.from(lists, ({ length }) => length)
  const tokens = upTo(40).map((token) => token * 7)
  const measures = measuresOf(40, randomNumbers(2))

  it('have the oracle’s bits', async () => {
    const scorer = await openTextScorer(table)
    const scores = await scorer.score(Uint16Array.from(tokens), measures, textTokens, counts)
    const oracle = { ...index, columns: [lists] }
    expect(scores).toEqual(oracleScores(oracle, tokens, measures, upTo(200)).scores)
    scorer.close()
  })

  it('are none of no texts, and 0 of a text without tokens', async () => {
    const scorer = await openTextScorer(table)
    const query = Uint16Array.of(4)
    const one = [{ exponent: 1, fullCosine: 1, weights: Float32Array.of(1) }]
    const none = await scorer.score(query, one, new Uint16Array(), new Uint32Array())
    expect([...none]).toEqual([])
    const some = await scorer.score(query, one, Uint16Array.of(4), Uint32Array.of(0, 1))
    expect([...some]).toEqual([0, 1])
    scorer.close()
  })

  it.each([
    ['a token beyond the table', Uint16Array.of(300), Uint32Array.of(1)],
    ['more tokens than the texts have', Uint16Array.of(1, 2), Uint32Array.of(1)],
    ['fewer tokens than the texts have', Uint16Array.of(1), Uint32Array.of(1, 1)],
  ])('refuse %s', async (_, wrong, wrongCounts) => {
    const scorer = await openTextScorer(table)
    const scored = scorer.score(Uint16Array.from(tokens), measures, wrong, wrongCounts)
    await expect(scored).rejects.toMatchObject({ name: 'NativeError', code: 'EARGUMENT' })
    scorer.close()
    const closed = scorer.score(Uint16Array.from(tokens), measures, textTokens, counts)
    await expect(closed).rejects.toMatchObject({ code: 'ECLOSED' })
  })

  it('end with the signal’s reason', async () => {
    const scorer = await openTextScorer(table)
    const signal = AbortSignal.abort(new Error('the client left'))
    await expect(
      scorer.score(Uint16Array.from(tokens), measures, textTokens, counts, signal),
    ).rejects.toThrow('the client left')
    scorer.close()
  })
})

it('knows the norm of each scaled row', async () => {
  const table = awkwardTable(8, 64, 5)
  const native = await open(writeIndex({ dimension: 64, table, columns: [[[7], []]] }))
  const norms = Array.from({ length: 8 }, (_, token) => {
    const row = table.subarray(token * 64, (token + 1) * 64)
    const square = row.reduce((sum, value) => sum + value * value, 0)
    return Math.fround(Math.sqrt(square) * scaleOf(token))
  })
  expect([...native.tokenNorms]).toEqual(norms)
  expect([native.rows, native.columns]).toEqual([2, ['column 0']])
})

it.skipIf(guardsMappedFiles)('finds lists that have decayed since they were opened', async () => {
  const options = writeIndex(makeIndex(50, 64, 20))
  const index = await open(options)
  const [, file = ''] = options.columns.map(({ path }) => path)
  const usual = { bytesPerSecond: 2 ** 30 }
  const sizes = options.columns.map(({ path }) => readFileSync(path).length)
  expect(await index.verify(usual)).toBe(sizes.reduce((sum, size) => sum + size, 0))
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  writeFileSync(file, bytes)
  await expect(index.verify(usual)).rejects.toMatchObject({ code: 'ETOKENS_FORMAT', file })
})

describe('opening refuses', () => {
  const index = makeIndex(50, 64, 20)

  async function refusal(options: MaxSimOptions): Promise<NativeError> {
    const error: unknown = await openMaxSim(options).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NativeError)
    return error as NativeError
  }
  const pathOf = (options: MaxSimOptions) => options.columns[1]?.path ?? ''

  it('every single flipped bit of the lists', async () => {
    const options = writeIndex(index)
    const path = pathOf(options)
    const bytes = readFileSync(path)
    const codes = new Set<string>()
    for (let at = 0; at < bytes.length; at += at < 80 ? 1 : 53) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(path, flipped)
      const { code, file } = await refusal(options)
      expect(file).toBe(path)
      codes.add(code)
    }
    expect([...codes]).toEqual(['ETOKENS_FORMAT'])
  })

  it('lists that were cut short or that go on', async () => {
    const options = writeIndex(index)
    const bytes = readFileSync(pathOf(options))
    for (const length of [0, 1, 63, 64, 100, bytes.length - 1]) {
      writeFileSync(pathOf(options), bytes.subarray(0, length))
      expect((await refusal(options)).code).toBe('ETOKENS_FORMAT')
    }
    writeFileSync(pathOf(options), bytes)
    appendFileSync(pathOf(options), 'x')
    const error = await refusal(options)
    expect([error.expected, error.found]).toEqual([`${bytes.length} bytes`, `${bytes.length + 1}`])
  })

  it('lists of other texts', async () => {
    const options = writeIndex(index)
    const [first, second] = options.columns
    if (first === undefined || second === undefined) throw new Error('two columns are written')
    const other = Uint8Array.from(source, (byte) => byte ^ 1)
    const error = await refusal({ ...options, columns: [first, { ...second, source: other }] })
    expect([error.code, error.file]).toEqual(['ETOKENS_STALE', second.path])
  })

  it('lists of other numbers of rows or tokens', async () => {
    const options = writeIndex(index)
    const shorter = writeIndex(makeIndex(50, 64, 19))
    const columns = [...options.columns.slice(0, 1), ...shorter.columns.slice(1)]
    expect((await refusal({ ...options, columns })).code).toBe('EROWS_MISMATCH')
    const fewer = writeIndex(makeIndex(49, 64, 20))
    expect((await refusal({ ...options, columns: fewer.columns })).code).toBe('ETOKENS_STALE')
  })

  it('a table of another size or shape', async () => {
    const options = writeIndex(index)
    const { table } = options
    const shapes = [
      { tokens: 51 },
      { dimension: 128 },
      { dimension: 63 },
      { tokens: 0 },
      { dimension: 0 },
    ]
    for (const shape of shapes) {
      expect((await refusal({ ...options, table: { ...table, ...shape } })).code).toBe(
        'ETABLE_SHAPE',
      )
    }
    truncateSync(table.path, 100)
    expect((await refusal(options)).code).toBe('ETABLE_SHAPE')
  })

  it('a table with a scale that is no number', async () => {
    for (const scale of [NaN, Infinity, -1]) {
      const options = writeIndex(index)
      const bytes = readFileSync(options.table.path)
      bytes.writeFloatLE(scale, bytes.length - 4)
      writeFileSync(options.table.path, bytes)
      expect((await refusal(options)).code).toBe('ETABLE_SCALE')
    }
  })

  it('files that are not there, no columns, sources of another length', async () => {
    const options = writeIndex(index)
    const missing = { ...options.table, path: `${options.table.path}.none` }
    expect((await refusal({ ...options, table: missing })).code).toBe('EFILE_OPEN')
    expect((await refusal({ ...options, columns: [] })).code).toBe('EARGUMENT')
    const short = options.columns.map((column) => ({ ...column, source: source.subarray(1) }))
    expect((await refusal({ ...options, columns: short })).code).toBe('EARGUMENT')
  })
})

describe('scoring refuses', () => {
  const index = makeIndex(50, 64, 20)
  const one = { exponent: 3, fullCosine: 1, weights: Float32Array.of(1) }

  it.each([
    ['a token beyond the table', Uint16Array.of(50), [one], undefined],
    ['a row beyond the lists', Uint16Array.of(1), [one], Uint32Array.of(20)],
    ['no measure', Uint16Array.of(1), [], undefined],
    ['a weight too few', Uint16Array.of(1, 2), [one], undefined],
    ['exponent 0', Uint16Array.of(1), [{ ...one, exponent: 0 }], undefined],
    ['exponent 17', Uint16Array.of(1), [{ ...one, exponent: 17 }], undefined],
    ['exponent 259', Uint16Array.of(1), [{ ...one, exponent: 259 }], undefined],
    ['exponent 1.5', Uint16Array.of(1), [{ ...one, exponent: 1.5 }], undefined],
    ['a full cosine of 0', Uint16Array.of(1), [{ ...one, fullCosine: 0 }], undefined],
    ['a full cosine above 1', Uint16Array.of(1), [{ ...one, fullCosine: 1.01 }], undefined],
    ['a full cosine NaN', Uint16Array.of(1), [{ ...one, fullCosine: NaN }], undefined],
    ['a negative weight', Uint16Array.of(1), [{ ...one, weights: Float32Array.of(-1) }], undefined],
    ['a weight NaN', Uint16Array.of(1), [{ ...one, weights: Float32Array.of(NaN) }], undefined],
  ])('%s', async (_, tokens, measures, rows) => {
    const native = await open(writeIndex(index))
    const scored = native.score(tokens, measures, rows === undefined ? {} : { rows })
    await expect(scored).rejects.toMatchObject({ name: 'NativeError', code: 'EARGUMENT' })
  })

  it('after close', async () => {
    const native = await open(writeIndex(index))
    native.close()
    native.close()
    await expect(native.score(Uint16Array.of(1), [one])).rejects.toMatchObject({ code: 'ECLOSED' })
  })

  it.skipIf(guardsMappedFiles)('files that shrank or were written to since', async () => {
    for (const spoil of [
      (path: string) => truncateSync(path, 70),
      (path: string) => writeFileSync(path, readFileSync(path).fill(0xff, 64)),
    ]) {
      const options = writeIndex(index)
      const native = await open(options)
      spoil(options.columns[0]?.path ?? '')
      await expect(native.score(Uint16Array.of(1), [one])).rejects.toMatchObject({
        code: 'EFILE_CHANGED',
      })
    }
  })

  it('what was aborted, with the signal’s reason', async () => {
    const native = await open(writeIndex(makeIndex(2000, 256, 3000)))
    const tokens = Uint16Array.from(upTo(640))
    const measures = [{ exponent: 3, fullCosine: 1, weights: new Float32Array(640).fill(1) }]
    const controller = new AbortController()
    const scored = native.score(tokens, measures, { signal: controller.signal })
    controller.abort(new Error('the client left'))
    await expect(scored).rejects.toThrow('the client left')
    await expect(native.score(tokens, measures, { signal: controller.signal })).rejects.toThrow(
      'the client left',
    )
    expect((await native.score(tokens, measures)).scores).toHaveLength(3000)
  })

  it('lets work in flight finish when it is closed', async () => {
    const native = await open(writeIndex(index))
    const scored = native.score(Uint16Array.of(1), [one])
    native.close()
    expect((await scored).scores).toHaveLength(20)
  })
})
