/** What the built-in ranker judges by, against the plain way of computing it. */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { openEmbeddings } from '#synoptic/data/embed/open-embeddings.js'
import { DimensionMismatchError } from '#synoptic/base/errors/index.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import { resolveModel } from '#synoptic/models/registry/resolve-model.js'
import { modelRevision } from '#synoptic/models/format/revision.js'
import { openSearch } from '#synoptic/search/composition/open-search.js'
import type { QueryFit } from '#synoptic/search/knowledge/query-fit.js'
import type { Features } from '#synoptic/search/ranking/features.js'
import { createBuiltinRanker } from '#synoptic/search/ranking/builtin-ranker.js'
import { distinctTokens } from '#synoptic/data/embed/token-lists.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { readNpy } from '../embed/workshop.js'
import { type OracleIndex, oracleScores } from '../native/max-sim-oracle.js'
import { inventWorks } from '../search/array-catalogue.js'
import { cosine } from '../search/array-index.js'
import { type Library, openLibrary } from '../search/library.js'

const columns = ['synopsis', 'Synopsis second Dataset', 'Synopsis third Dataset']
const works = inventWorks(45, columns.length, 5).map((work, row) => ({
  ...work,
  popularity: row % 4 === 3 ? null : row / 8,
}))
const { folder: modelFolder } = resolveModel(builtinModel, { modelsDir: 'models' })
const [tokenCount, dimension] = [30_522, 256]
const table = readFileSync(join(modelFolder, 'onnx', 'model.onnx_data'))
const tableRows = new Int8Array(table.buffer, table.byteOffset, tokenCount * dimension)

let library: Library
/** Knows not how well known its works are. */
let plain: Library
beforeAll(async () => {
  library = await openLibrary([{ name: 'anime', columns, rows: works }])
  plain = await openLibrary([{ name: 'anime', columns, rows: inventWorks(9, columns.length, 5) }])
})

const compute = (query: string, rows: readonly number[], signal?: AbortSignal) =>
  library.search.computeFeatures({
    dataset: library.dataset('anime'),
    query,
    rows: Uint32Array.from(rows),
    signal,
  })

/** Tokens and vector of a query or a text, as the encoder returns them. */
const read = (text: string) =>
  library.search.models.use(builtinModel, async (encoder) => {
    const [{ vectors }, { ids }] = [await encoder.encode([text]), await encoder.tokenize([text])]
    return { vector: vectors, tokens: [...distinctTokens(ids)] }
  })

const rowOf = (token: number) => tableRows.subarray(token * dimension, (token + 1) * dimension)

/** Length of a token's row, scale and all. */
function normOf(token: number): number {
  const square = rowOf(token).reduce((sum, value) => sum + value * value, 0)
  return Math.sqrt(square) * table.readFloatLE(tokenCount * dimension + token * 4)
}

async function oracle(query: string, rows: readonly number[]): Promise<Features> {
  const { vector, tokens } = await read(query)
  const dataset = library.dataset('anime')
  const { embeddingsDir } = library.settings
  const revision = await modelRevision(modelFolder)
  const built = await openEmbeddings({ embeddingsDir, dataset, model: builtinModel, revision })
  const matrices = built.columns.map(({ path }) => readNpy(path).values)
  const vectorOf = (row: number, column: number) =>
    matrices[column]?.slice(row * dimension, (row + 1) * dimension) ?? new Float32Array()
  const lists: number[][][] = columns.map(() => [])
  for (const [row, { texts }] of works.entries()) {
    for (const [column, text] of texts.entries()) {
      const list = text === null ? [] : (await read(text)).tokens
      lists[column]?.splice(row, 1, list)
    }
  }
  // The rows of the tokens that occur are enough, under numbers of their own.
  const used = [...new Set([...tokens, ...lists.flat(2)])]
  const numberOf = new Map(used.map((token, number) => [token, number]))
  const numbersOf = (list: readonly number[]) => list.map((token) => numberOf.get(token) ?? 0)
  const index: OracleIndex = {
    dimension,
    table: Int8Array.from(used.flatMap((token) => [...rowOf(token)])),
    columns: lists.map((ofColumn) => ofColumn.map(numbersOf)),
  }
  const weights = Float32Array.from(tokens, (token) => normOf(token) ** 2)
  const measure = { exponent: 2, fullCosine: 0.75, weights }
  const cover = oracleScores(index, numbersOf(tokens), [measure], rows)
  const hits = await library.search.catalogue.lexical('anime', query, works.length)
  const nearest = rows.map((row) =>
    columns
      .flatMap((_, column) =>
        works[row]?.texts[column]
          ? [{ column, cosine: cosine(vector, vectorOf(row, column)) }]
          : [],
      )
      .sort((a, b) => b.cosine - a.cosine)
      .at(0),
  )
  return {
    cosine: Float32Array.from(nearest, (best) => Math.max(0, best?.cosine ?? 0)),
    bm25: Float32Array.from(rows, (row) => hits.find((hit) => hit.row === row)?.score ?? 0),
    // Six tenths are of all texts as one, as it ships.
    maxsim: cover.scores.map((best, i) => 0.4 * best + 0.6 * (cover.together[i] ?? 0)),
    popularity: Float32Array.from(rows, (row) => (works[row]?.popularity ?? 1) - 1),
    columns: cover.columns.map((column, i) =>
      column === 0xffff ? (nearest[i]?.column ?? 0) : column,
    ),
  }
}

function expectClose(found: Features, expected: Features): void {
  for (const name of ['cosine', 'bm25', 'maxsim', 'popularity'] as const) {
    expect(found[name]).toHaveLength(expected[name].length)
    found[name].forEach((value, row) => {
      expect(value, `${name} of position ${row}`).toBeCloseTo(expected[name][row] ?? NaN, 5)
    })
  }
  expect([...found.columns]).toEqual([...expected.columns])
}

const all = [...works.keys()]

describe('features are what the plain way computes', () => {
  test.each([
    ['of a sentence', 'a robot goes to school in the rain'],
    ['of a title', works[7]?.title ?? ''],
    ['of a text', works[3]?.texts[0] ?? ''],
    ['of words that no text has', 'quarterly bookkeeping seminar'],
  ])('for the words %s', async (_, query) => {
    const found = await compute(query, all)
    expectClose(found, await oracle(query, all))
    expect(Math.max(...found.maxsim)).toBeLessThanOrEqual(1)
    expect(Math.max(...found.maxsim)).toBeGreaterThan(0)
  })

  test('for rows in any order', async () => {
    const rows = [44, 0, 17, 3, 10]
    const found = await compute('detective and ghost', rows)
    expectClose(found, await oracle('detective and ghost', rows))
    const whole = await compute('detective and ghost', all)
    for (const name of ['cosine', 'bm25', 'maxsim', 'popularity', 'columns'] as const) {
      expect([...found[name]]).toEqual(rows.map((row) => whole[name][row]))
    }
  })
})

describe('a feature is 0', () => {
  test('for rows without a text', async () => {
    const rows = all.filter((row) => works[row]?.texts.every((text) => text === null))
    expect(rows.length).toBeGreaterThan(2)
    const { cosine, maxsim, columns } = await compute('detective', rows)
    expect([...cosine, ...maxsim, ...columns].every((value) => value === 0)).toBe(true)
  })

  test.each(['', ' ', '\u200b', '\u0000'])('by a query without a token: %j', async (query) => {
    const { cosine, bm25, maxsim } = await compute(query, all)
    expect([...cosine, ...bm25, ...maxsim].every((value) => value === 0)).toBe(true)
  })

  test('where no row is requested', async () => {
    const features = await compute('detective', [])
    expect(Object.values(features).map((values: ArrayLike<number>) => values.length)).toEqual([
      0, 0, 0, 0, 0,
    ])
  })
})

test('a text finds itself, whole', async () => {
  const [row, text] = [3, works[3]?.texts[0] ?? '']
  const { cosine, maxsim, columns } = await compute(text, all)
  expect(cosine[row]).toBeCloseTo(1, 2)
  expect(maxsim[row]).toBeCloseTo(1, 4)
  expect(columns[row]).toBe(0)
})

describe('a vector that is there already', () => {
  const query = 'a robot goes to school in the rain'
  const among = () => ({ dataset: library.dataset('anime'), rows: Uint32Array.from(all) })
  const withVector = (vector: Float32Array) => {
    const nothing = { rows: new Uint32Array(), cosines: new Float32Array() }
    const similar = { ...nothing, columns: new Uint16Array(), vector }
    return library.search.computeFeatures({ ...among(), query, similar })
  }

  test('gives the same, bit for bit', async () => {
    const { vector } = await read(query)
    expect(await withVector(vector)).toEqual(await compute(query, all))
  })

  test('gives the same with rows that were found near it', async () => {
    const { firstStage, computeFeatures } = library.search
    for (const count of [1, 20]) {
      const { dataset } = among()
      const batch = { dataset, queries: [query], count, mask: undefined }
      const [similar] = await firstStage.similarToEach(batch)
      if (similar === undefined || similar instanceof Error) throw new Error('no rows')
      expect(similar.rows.length).toBeGreaterThan(0)
      const own = await computeFeatures({ ...among(), query, similar })
      expect(own).toEqual(await compute(query, all))
    }
  })

  test('is the one that counts', async () => {
    const { vector } = await read('a ghost on an island')
    const { cosine, bm25, maxsim } = await withVector(vector)
    expect(cosine).toEqual((await compute('a ghost on an island', all)).cosine)
    const { bm25: words, maxsim: tokens } = await compute(query, all)
    expect([bm25, maxsim]).toEqual([words, tokens])
  })

  test('finds nothing near where it is zero', async () => {
    const { cosine } = await withVector(new Float32Array(dimension))
    expect(cosine.every((value) => value === 0)).toBe(true)
  })

  test('has the dimension of the texts', async () => {
    await expect(withVector(new Float32Array(dimension - 1))).rejects.toThrow(
      DimensionMismatchError,
    )
  })
})

test('an asker that has left gets nothing', async () => {
  const signal = AbortSignal.abort(new Error('left'))
  await expect(compute('detective', all, signal)).rejects.toThrow('left')
})

/** Only the texts count. */
const noFit = {
  title: 0,
  fulfilled: 0,
  fulfilledBeside: 0,
  similar: 0,
  broken: 0,
  popularity: 0,
  notMain: 0,
  firstBySequel: 0,
  sequel: 0,
  minTextShare: 1,
}

/** Of a query that requests nothing and names nothing. */
const fitOfText = (count: number): QueryFit => {
  const none = new Float32Array(count)
  return {
    isMain: new Uint8Array(works.length).fill(1),
    continued: new Int32Array(works.length).fill(-1),
    continuation: 0,
    explained: 0,
    hasReferences: false,
    hasText: true,
    titleScores: none,
    requestScores: none,
    exclusionScores: none,
    likenessScores: none,
    requests: [],
  }
}

describe('features are weighed', () => {
  const nothingFits = {
    bias: 1,
    best: -1,
    ahead: -1,
    explained: 0,
    words: 0,
    from: 0.5,
    mostExplained: 1,
  }
  const weights = {
    bias: -3,
    cosine: 2,
    bm25: 0.25,
    maxsim: 8,
    popularity: 0,
    fit: noFit,
    nothingFits,
  }
  const features = {
    cosine: Float32Array.of(0, 1, 0.5),
    bm25: Float32Array.of(0, 0, 20),
    maxsim: Float32Array.of(0, 0, 0.25),
    popularity: Float32Array.of(4, 0, -1),
    columns: Uint16Array.of(0, 2, 1),
  }
  const rank = async (found: Features, rows: Uint32Array, popularity = 0) =>
    createBuiltinRanker(() => Promise.resolve(found), { ...weights, popularity }).rank({
      dataset: library.dataset('anime'),
      query: 'ghost',
      batchSize: 32,
      rows,
    })

  test('by a line', async () => {
    const { scores, columns, warnings } = await rank(features, Uint32Array.of(4, 8, 9))
    expect([...scores]).toEqual([-3, -1, 5])
    expect([...columns]).toEqual([0, 2, 1])
    expect(warnings).toEqual([])
  })

  test('by how well known they are, as much as is set', async () => {
    const { scores } = await rank(features, Uint32Array.of(4, 8, 9), 0.5)
    expect([...scores]).toEqual([-1, -1, 4.5])
  })

  test('by how well known they are once more, as far as facts take the place of the text', async () => {
    const scoresOf = async (explained: number, popularity: number) => {
      const known = { ...weights, fit: { ...noFit, popularity, minTextShare: 0 } }
      const ranker = createBuiltinRanker(() => Promise.resolve(features), known)
      const rows = Uint32Array.of(4, 8, 9)
      const fit = { ...fitOfText(rows.length), explained }
      const request = { dataset: library.dataset('anime'), query: 'ghost', batchSize: 32 }
      return [...(await ranker.rank({ ...request, rows, fit })).scores]
    }
    expect(await scoresOf(0, 2)).toEqual(await scoresOf(0, 0))
    expect(await scoresOf(1, 2)).toEqual([8, 0, -2])
    const [low = NaN] = await scoresOf(0.5, 0)
    const lost = 1 - low / -3
    expect(lost).toBeGreaterThan(0)
    expect(await scoresOf(0.5, 2)).toEqual([
      low + 8 * lost,
      -1 * (1 - lost),
      5 * (1 - lost) - 2 * lost,
    ])
  })

  test('to a score of 0 to 1, in the same order', async () => {
    const { scores, toProbability } = await rank(features, Uint32Array.of(4, 8, 9))
    const probabilities = [...scores].map(toProbability)
    expect(probabilities.map((probability) => probability.toFixed(4))).toEqual([
      '0.0474',
      '0.2689',
      '0.9933',
    ])
    expect([toProbability(-800), toProbability(0), toProbability(800)]).toEqual([0, 0.5, 1])
  })

  test('so that rows differ whose scores are all 1', async () => {
    const certain = { ...features, bm25: Float32Array.of(400, 900, 800) }
    const { scores, toProbability } = await rank(certain, Uint32Array.of(4, 8, 9))
    expect([...scores].map(toProbability)).toEqual([1, 1, 1])
    const [low = NaN, high = NaN, middle = NaN] = scores
    expect(high > middle && middle > low).toBe(true)
  })

  test.each([
    ['the best is low, and others are as low', [0.5, 0.5, 0.5], true],
    ['the best is high', [4, 4, 4], false],
    ['the best is ahead of those that follow', [1, 0, 0], false],
    ['there is one row alone', [0], false],
    ['there is no row', [], false],
  ])('nothing fits well only where it should: %s', async (_, cosines, expected) => {
    const cosine = Float32Array.from(cosines, (score) => (score + 3) / 2)
    const none = new Float32Array(cosine.length)
    const columns = new Uint16Array(cosine.length)
    const found = { cosine, bm25: none, maxsim: none, popularity: none, columns }
    const ranked = await rank(
      found,
      Uint32Array.from(cosines, (_score, row) => row),
    )
    expect(ranked.nothingFits).toBe(expected)
  })

  test('in slices, of more rows than one', async () => {
    const sizes: number[] = []
    const ranker = createBuiltinRanker(({ rows }) => {
      sizes.push(rows.length)
      const values = Float32Array.from(rows)
      return Promise.resolve({
        cosine: values,
        bm25: values,
        maxsim: values,
        popularity: values,
        columns: Uint16Array.from(rows, (row) => row % 7),
      })
    }, weights)
    const rows = Uint32Array.from({ length: 40_000 }, (_, position) => 39_999 - position)
    const request = { dataset: library.dataset('anime'), query: 'ghost', rows, batchSize: 32 }
    const { scores, columns } = await ranker.rank(request)
    expect(sizes).toEqual([16_384, 16_384, 7232])
    expect([...scores]).toEqual([...rows].map((row) => 10.25 * row - 3))
    expect([...columns]).toEqual([...rows].map((row) => row % 7))
  })
})

describe('--popularity', () => {
  const rows = Uint32Array.from(all)
  const scoresAt = async (popularity: number) => {
    const search = await openSearch({ ...library.settings, popularity })
    try {
      const dataset = library.dataset('anime')
      const ranked = await search.rankers.use(undefined, undefined, (ranker) =>
        ranker.rank({ dataset, query: 'ghost in the rain', rows, batchSize: 32 }),
      )
      return ranked.scores
    } finally {
      await search.close()
    }
  }

  test.each([0.3, 2])('of %d is the weight of the prior', async (weight) => {
    const [without, scores] = [await scoresAt(0), await scoresAt(weight)]
    scores.forEach((score, row) => {
      const prior = (works[row]?.popularity ?? 1) - 1
      expect(score - (without[row] ?? NaN)).toBeCloseTo(weight * prior, 4)
    })
  })

  test('changes nothing where the catalogue knows nothing', async () => {
    const { popularity } = await plain.search.computeFeatures({
      dataset: plain.dataset('anime'),
      query: 'ghost',
      rows: rows.subarray(0, 9),
    })
    expect([...popularity]).toEqual(new Array(9).fill(0))
  })
})

describe('--search-encoder', () => {
  const model = 'encoders/all-MiniLM-L6-v2'

  test('judges cosine by its own vectors, and all else as before', async () => {
    const { modelsDir, embeddingsDir } = library.settings
    cpSync('test/fixtures/encoders/bert', join(modelsDir, model), { recursive: true })
    const search = await openSearch({ ...library.settings, searchEncoder: model })
    try {
      const { catalogue, models } = search
      const dataset = library.dataset('anime')
      const { folder } = resolveModel(model, { modelsDir })
      const query = 'a robot goes to school in the rain'
      const { vectors } = await models.use(model, async (encoder) => {
        const common = { catalogue, encoder, modelFolder: folder, embeddingsDir }
        await buildEmbeddings({ ...common, dataset: dataset.name })
        return encoder.encode([query])
      })
      const revision = await modelRevision(folder)
      const built = await openEmbeddings({ embeddingsDir, dataset, model, revision })
      const matrices = built.columns.map(({ path }) => readNpy(path).values)
      const own = await search.computeFeatures({ dataset, query, rows: Uint32Array.from(all) })
      const before = await compute(query, all)
      for (const row of all) {
        const cosines = columns.flatMap((_, column) => {
          const begin = row * vectors.length
          const vector = matrices[column]?.slice(begin, begin + vectors.length)
          return works[row]?.texts[column] && vector ? [cosine(vectors, vector)] : []
        })
        expect(own.cosine[row]).toBeCloseTo(Math.max(0, ...cosines), 5)
      }
      expect(own.cosine).not.toEqual(before.cosine)
      for (const name of ['bm25', 'maxsim', 'popularity'] as const) {
        expect(own[name]).toEqual(before[name])
      }
    } finally {
      await search.close()
    }
  })

  test('has to be one that the ranker is fitted with', async () => {
    const opening = openSearch({ ...library.settings, searchEncoder: 'encoders/gtr-t5-base' })
    await expect(opening).rejects.toThrow(/^--search-encoder: expected builtin\/static-en or /)
  })
})
