/** /search below HTTP: candidates, rankers, results, over the encoder that ships and tiny cross-encoders. */
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { maskOf } from '#synoptic/base/util/row-mask.js'
import {
  DatasetMissingError,
  EmbeddingsBrokenError,
  EmbeddingsMissingError,
  EmbeddingsStaleError,
  ModelLoadError,
  ModelNotInstalledError,
  ValidationError,
} from '#synoptic/base/errors/index.js'
import { type OpenSearch, openSearch } from '#synoptic/search/composition/open-search.js'
import { createKnowledge } from '#synoptic/search/knowledge/dataset-knowledge.js'
import { type Batch, noMetricsSink } from '#synoptic/base/observability/metrics-sink.js'
import { logits } from '#synoptic/search/ranking/builtin-ranker.js'
import type { RankedQuery } from '#synoptic/search/service/ranked-search.js'
import { createRankedSearch } from '#synoptic/search/service/ranked-service.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { forgetTokens } from '../embed/older-build.js'
import { fixtures, openCross } from '../encoders/cross-models.js'
import { inventWorks, type Work } from './array-catalogue.js'
import { type Library, openLibrary } from './library.js'

const columns = ['synopsis', 'Synopsis second Dataset', 'Synopsis third Dataset']
const anime = inventWorks(90, columns.length, 21).map((invented, row) => {
  const work = { ...invented, popularity: row % 3 === 0 ? null : row / 30 }
  if (row === 40 || row === 41)
    return { ...work, title: 'Twin', texts: [null, 'Two bakers.', null], popularity: 1.5 }
  return row === 50 ? { ...work, title: 'Mute', texts: [null, null, null] } : work
})
const manga = inventWorks(60, 1, 22)
const works = { anime, manga }
const query = 'a robot goes to school in the rain'

let library: Library
beforeAll(async () => {
  library = await openLibrary([
    { name: 'anime', columns, rows: anime },
    { name: 'manga', columns: ['synopsis'], rows: manga },
  ])
  const { modelsDir } = library.settings
  const install = (model: string, place: string) =>
    cpSync(join(fixtures, model), join(modelsDir, place), { recursive: true })
  install('bert', 'cross-encoder/ms-marco-MiniLM-L-6-v2')
  install('xlm-roberta', 'fine-tuned/mine')
  install('bert-three-labels', 'fine-tuned/three')
  install('bert', 'fine-tuned/broken')
  writeFileSync(join(modelsDir, 'fine-tuned/broken/onnx/model.onnx'), 'no network')
})

const usual: RankedQuery = {
  dataset: 'anime',
  query,
  numResults: 5,
  batchSize: 32,
  candidates: 100,
  includeLightNovels: false,
  interpret: false,
}
/** What answers say, but for the clock's part in it. */
async function askOf(
  { search }: Pick<Library, 'search'>,
  pending: RankedQuery,
  signal?: AbortSignal,
) {
  const answer = await search.ranked.ranked(pending, signal)
  return { ...answer, timings: null }
}
const ask = (changes: Partial<RankedQuery> = {}, signal?: AbortSignal) =>
  askOf(library, { ...usual, ...changes }, signal)

const isNovel = ({ type }: Work) => type === 'light_novel'
const idsOf = (results: readonly { id: number }[]) => results.map(({ id }) => id)

/** Ids of all entries by the built-in score, ties by row. */
async function inOrder(dataset: 'anime' | 'manga', words: string): Promise<number[]> {
  const { search } = library
  const rows = Uint32Array.from(works[dataset].keys())
  const features = await search.computeFeatures({
    dataset: library.dataset(dataset),
    query: words,
    rows,
  })
  const scores = logits(features, search.weights)
  return [...rows]
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .map((row) => works[dataset][row]?.id ?? NaN)
}

describe('a query that names a work', () => {
  const named = anime[7]
  const rankLike = (candidates: number) =>
    library.search.ranked.ranked({
      ...usual,
      candidates,
      includeLightNovels: true,
      interpret: true,
      query: `anime like ${named?.title}`,
    })

  test('takes its candidates from works like it, and looks its words up in no text', async () => {
    const { results, timings, interpretation, candidatesScored } = await rankLike(5)
    expect(interpretation?.readings).toMatchObject([{ kind: 'like', rows: [7] }])
    expect(candidatesScored).toBe(5)
    expect(timings.scanMs).toBeUndefined()
    expect(idsOf(results)).not.toContain(named?.id)
  })

  test('compares the texts of each named work once, and of eight at most', async () => {
    const compared: number[] = []
    const { catalogue, rankers, firstStage } = library.search
    const search = createRankedSearch({
      catalogue,
      rankers,
      knowledge: createKnowledge(catalogue),
      firstStage: {
        ...firstStage,
        neighbours(pending) {
          compared.push(pending.row)
          return firstStage.neighbours(pending)
        },
      },
      matchedWords: (_, texts) => Promise.resolve(texts.map(() => [])),
    })
    const namesOf = (rows: readonly number[]) =>
      rows.map((row) => `like ${anime[row]?.title}`).join(', ')
    await search.ranked({ ...usual, interpret: true, query: namesOf([7, 7, 7]) })
    expect(compared).toEqual([7])
    compared.length = 0
    const rows = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    await search.ranked({ ...usual, interpret: true, query: namesOf(rows) })
    expect(compared).toEqual(rows.slice(0, 8))
  })

  test('looks them up where too few works are like it', async () => {
    const { timings, candidatesScored } = await rankLike(100)
    expect(candidatesScored).toBeGreaterThan(50)
    expect(timings.scanMs).toBeGreaterThan(0)
  })
})

describe.each([0, 16])('a query is encoded once with a --query-cache of %d', (queryCache) => {
  /** Texts that the encoder has read while `task` ran. */
  async function textsRead(task: (search: OpenSearch) => Promise<unknown>): Promise<number> {
    let texts = 0
    const metrics = { ...noMetricsSink, batch: (_: string, batch: Batch) => (texts += batch.texts) }
    const search = await openSearch({ ...library.settings, queryCache }, { metrics })
    try {
      await task(search)
    } finally {
      await search.close()
    }
    return texts
  }

  test('for candidates and ranker', async () => {
    const answers: unknown[] = []
    expect(await textsRead(async (search) => answers.push(await askOf({ search }, usual)))).toBe(1)
    expect(answers).toEqual([await ask()])
  })

  test('where every entry is a candidate', async () => {
    const all = { ...usual, candidates: 'all' } as const
    expect(await textsRead(({ ranked }) => ranked.ranked(all))).toBe(1)
  })

  test('among others', async () => {
    const queries = ['ghost in the rain', 'a boxer', 'two bakers']
    expect(await textsRead(({ ranked }) => ranked.rankedEach({ ...usual, queries }))).toBe(3)
  })
})

describe('the built-in ranker', () => {
  test('orders every entry where every one is requested', async () => {
    const expected = await inOrder('anime', query)
    const answer = await ask({ candidates: 'all', includeLightNovels: true, numResults: 90 })
    expect(idsOf(answer.results)).toEqual(expected)
    expect(answer).toMatchObject({ deviceUsed: 'cpu', candidatesScored: 90, entriesTotal: 90 })
    const scores = answer.results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores.every((score) => score > 0 && score < 1)).toBe(true)
  })

  test.each([1, 7, 30])('orders %i candidates alike', async (candidates) => {
    const expected = await inOrder('anime', query)
    const answer = await ask({ candidates, includeLightNovels: true, numResults: 90 })
    expect(answer.candidatesScored).toBe(candidates)
    const ids = idsOf(answer.results)
    expect(ids).toHaveLength(candidates)
    expect(ids).toEqual(expected.filter((id) => ids.includes(id)))
  })

  test('answers the text that covers the query best, whole', async () => {
    const { results } = await ask({ candidates: 'all', includeLightNovels: true })
    const dataset = library.dataset('anime')
    for (const { id, synopsis } of results) {
      const row = anime.findIndex((work) => work.id === id)
      const rows = Uint32Array.of(row)
      const features = await library.search.computeFeatures({ dataset, query, rows })
      expect(synopsis).toBe(anime[row]?.texts[features.columns[0] ?? NaN])
    }
  })

  test('puts twins in the order of their rows', async () => {
    const { results } = await ask({ query: 'two bakers', includeLightNovels: true })
    expect(idsOf(results.slice(0, 2))).toEqual([anime[40]?.id, anime[41]?.id])
    expect(results[0]?.score).toBe(results[1]?.score)
    expect(results[0]?.synopsis).toBe('Two bakers.')
  })

  test('finds by its title an entry without a text', async () => {
    const { results } = await ask({ query: 'mute', candidates: 3, includeLightNovels: true })
    expect(results.find(({ id }) => id === anime[50]?.id)).toMatchObject({
      title: 'Mute',
      synopsis: '',
    })
  })

  test('finds nothing where nothing speaks for anything', async () => {
    const answer = await ask({ query: '\u200b' })
    expect(answer).toMatchObject({ results: [], candidatesScored: 0 })
    const all = await ask({ query: '\u200b', candidates: 'all' })
    expect(all.results).toHaveLength(5)
  })
})

describe('light novels', () => {
  test.each([10, 'all'] as const)('take no place unless asked for, of %s', async (candidates) => {
    const novels = manga.filter(isNovel).map(({ id }) => id)
    expect(novels.length).toBeGreaterThan(5)
    const without = await ask({ dataset: 'manga', candidates, numResults: 60 })
    expect(idsOf(without.results).filter((id) => novels.includes(id))).toEqual([])
    expect(without.entriesTotal).toBe(60 - novels.length)
    expect(without.candidatesScored).toBe(candidates === 'all' ? without.entriesTotal : 10)
    const both = await ask({
      dataset: 'manga',
      candidates,
      numResults: 60,
      includeLightNovels: true,
    })
    expect(both.entriesTotal).toBe(60)
    expect(both.candidatesScored).toBe(candidates === 'all' ? 60 : 10)
    expect(idsOf(both.results).some((id) => novels.includes(id))).toBe(true)
  })
})

describe('a cross-encoder', () => {
  const model = 'ms-marco-MiniLM-L6-v2'

  /** Best score of each row, by the encoder itself. */
  async function bruteForce(dataset: 'anime' | 'manga') {
    const encoder = await openCross(join(fixtures, 'bert'))
    const scored = await Promise.all(
      works[dataset].map(async ({ id, texts }, row) => {
        const own = texts.filter((text) => text !== null)
        const { scores } = await encoder.score(query, own, { batchSize: 8 })
        const score = Math.max(0, ...scores)
        return { id, row, score, synopsis: own[scores.indexOf(score)] ?? '' }
      }),
    )
    return scored.sort((a, b) => b.score - a.score || a.row - b.row)
  }

  test('decides alone, by the best text of each entry', async () => {
    const expected = (await bruteForce('anime')).slice(0, 8)
    const answer = await ask({
      model,
      candidates: 'all',
      includeLightNovels: true,
      numResults: 8,
    })
    expect(answer.results.map(({ score }) => score.toFixed(4))).toEqual(
      expected.map(({ score }) => score.toFixed(4)),
    )
    expect(answer).toMatchObject({ deviceUsed: 'cpu', candidatesScored: 90, warnings: [] })
  })

  test("returns the user's lists, and leaves out what is listed", async () => {
    const { catalogue, firstStage, rankers } = library.search
    const statuses = new Map([[4, 'COMPLETED'] as const, [8, 'PLANNING'] as const])
    const lookUp = () => Promise.resolve({ statuses, note: 'Not all.' })
    const search = createRankedSearch({
      catalogue,
      firstStage,
      rankers,
      lists: { lookUp },
      knowledge: createKnowledge(catalogue),
      matchedWords: (_, texts) => Promise.resolve(texts.map(() => [])),
    })
    const pending = {
      ...usual,
      includeLightNovels: true,
      candidates: 'all' as const,
      numResults: 100,
    }
    const all = await search.ranked(pending)
    const listed = [anime[4]?.id, anime[8]?.id]
    for (const { id, listStatus } of all.results) {
      expect(listStatus === null).toBe(!listed.includes(id))
    }
    expect(all.warnings).toEqual(['Not all.'])
    const rest = await search.ranked({ ...pending, excludeListed: true })
    expect(rest.entriesTotal).toBe(anime.length - 2)
    expect(idsOf(rest.results)).toEqual(idsOf(all.results).filter((id) => !listed.includes(id)))
    const { warnings } = await ask({ excludeListed: true })
    expect(warnings).toEqual(['No AniList access token is set, so no entry is excluded.'])
  })

  test('searches what a filter leaves, however little', async () => {
    const filter = { types: ['tv'], genres: { any: ['Action'] } }
    const fitting = anime.filter(({ type, genres }) => type === 'tv' && genres.includes('Action'))
    for (const candidates of [3, 'all'] as const) {
      const { results, entriesTotal } = await ask({ filter, candidates, numResults: 100 })
      expect(entriesTotal).toBe(fitting.length)
      expect(results).toHaveLength(candidates === 'all' ? fitting.length : 3)
      const ids = fitting.map(({ id }) => id)
      for (const { id } of results) expect(ids).toContain(id)
      const nothing = await ask({ filter: { types: ['opera'] }, candidates })
      expect(nothing).toMatchObject({ results: [], candidatesScored: 0, entriesTotal: 0 })
      const one = await ask({ filter: { types: ['opera'] }, candidates, model })
      expect(one.results).toEqual([])
    }
  })

  test('reads no more than the candidates', async () => {
    const answer = await ask({ model, candidates: 9, numResults: 100, batchSize: 8 })
    expect(answer.candidatesScored).toBe(9)
    const request = { dataset: library.dataset('anime'), query, count: 9 }
    const others = [...anime.keys()].filter((row) => anime[row]?.type !== 'light_novel')
    const mask = maskOf(anime.length, others)
    const rows = [...(await library.search.firstStage.candidates({ ...request, mask }))]
    expect(idsOf(answer.results).sort()).toEqual(rows.map((row) => anime[row]?.id).sort())
  })

  test('that is fine-tuned goes by its label or its path', async () => {
    const byLabel = await ask({ model: 'mine', numResults: 3 })
    const path = join(library.settings.modelsDir, 'fine-tuned', 'mine')
    expect(await ask({ model: path, numResults: 3 })).toEqual(byLabel)
    expect(byLabel.results).not.toEqual((await ask({ model, numResults: 3 })).results)
  })

  test('needs no embeddings for an exhaustive search', async () => {
    const bare = await openLibrary([{ name: 'anime', columns, rows: anime }], { isEmbedded: false })
    const place = join(bare.settings.modelsDir, 'fine-tuned/mine')
    cpSync(join(fixtures, 'xlm-roberta'), place, { recursive: true })
    const whole = { ...usual, model: 'mine', candidates: 'all' } as const
    expect(await askOf(bare, whole)).toEqual(await ask(whole))
  })

  test('is loaded once for all who wait for it', async () => {
    let workers = 0
    const count = () => (workers += 1)
    cpSync(join(fixtures, 'bert'), join(library.settings.modelsDir, 'fine-tuned/fresh'), {
      recursive: true,
    })
    await ask()
    process.on('worker', count)
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask({ model: 'fresh' })))
    process.off('worker', count)
    expect(workers).toBe(1)
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('that is broken fails alone, and works once it is mended', async () => {
    await expect(ask({ model: 'broken' })).rejects.toThrow(ModelLoadError)
    expect((await ask({ model })).results).toHaveLength(5)
    expect((await ask()).results).toHaveLength(5)
    await expect(ask({ model: 'broken' })).rejects.toThrow(ModelLoadError)
    const folder = join(library.settings.modelsDir, 'fine-tuned/broken')
    cpSync(join(fixtures, 'bert/onnx/model.onnx'), join(folder, 'onnx/model.onnx'))
    expect(await ask({ model: 'broken' })).toEqual(await ask({ model }))
  })
})

describe('a device', () => {
  test.each(['builtin/maxsim-en', 'mine'])('that is not there is reported by %s', async (model) => {
    const answer = await ask({ model, device: 'cuda:7' })
    expect(answer.deviceUsed).toBe('cpu')
    expect(answer.warnings).toEqual([expect.stringContaining('cuda:7')])
    expect(answer.results).toEqual((await ask({ model, device: 'cpu' })).results)
  })
})

describe('an asker who leaves', () => {
  test.each(['builtin/maxsim-en', 'mine'])('before it begins gets nothing of %s', async (model) => {
    const signal = AbortSignal.abort(new Error('left'))
    await expect(ask({ model }, signal)).rejects.toThrow('left')
  })

  test.each(['builtin/maxsim-en', 'mine'])('stops an exhaustive search by %s', async (model) => {
    const asker = new AbortController()
    const pending = ask({ model, candidates: 'all' }, asker.signal)
    const outcome = expect(pending).rejects.toThrow('left')
    setImmediate(() => asker.abort(new Error('left')))
    await outcome
    expect((await ask({ model })).results).toHaveLength(5)
  })
})

describe('refused is', () => {
  test.each([
    ['a model that nobody knows', 'gpt', ValidationError],
    ['a model of the other route', 'builtin/static-en', ValidationError],
    ['a model of several labels', 'three', ValidationError],
    ['a model that is not here', 'BAAI/bge-reranker-base', ModelNotInstalledError],
  ])('%s', async (_, model, kind) => {
    await expect(ask({ model })).rejects.toThrow(kind)
    await expect(ask({ model, candidates: 'all' })).rejects.toThrow(kind)
  })

  test('a dataset that is not there', async () => {
    const half = await openLibrary([{ name: 'manga', columns: ['synopsis'], rows: manga }])
    await expect(askOf(half, usual)).rejects.toThrow(DatasetMissingError)
  })

  test('a dataset without embeddings, until they are built', async () => {
    const { embeddingsDir } = library.settings
    const bare = await openLibrary([{ name: 'anime', columns, rows: anime }], { isEmbedded: false })
    await expect(askOf(bare, usual)).rejects.toThrow(EmbeddingsMissingError)
    const all = { ...usual, candidates: 'all' } as const
    await expect(askOf(bare, all)).rejects.toThrow(EmbeddingsMissingError)
    const folder = join(bare.settings.embeddingsDir, 'anime')
    mkdirSync(folder, { recursive: true })
    cpSync(join(embeddingsDir, 'anime'), folder, { recursive: true })
    expect(await askOf(bare, usual)).toEqual(await ask())
  })

  test('what older embeddings cannot answer, and no more than that', async () => {
    const older = await openLibrary([{ name: 'anime', columns, rows: anime }])
    forgetTokens(join(older.settings.embeddingsDir, 'anime/builtin/static-en/manifest.json'))
    const refused = askOf(older, usual)
    await expect(refused).rejects.toThrow(EmbeddingsStaleError)
    await expect(refused).rejects.toMatchObject({
      remedy: 'synoptic embed build --dataset anime --model builtin/static-en',
    })
    const { similar } = older.search
    const description = {
      dataset: 'anime',
      model: 'builtin/static-en',
      description: query,
    } as const
    expect(
      (await similar.similar({ ...description, page: 1, resultsPerPage: 3 })).results,
    ).toHaveLength(3)
    cpSync(join(fixtures, 'bert'), join(older.settings.modelsDir, 'fine-tuned/tiny'), {
      recursive: true,
    })
    const ranked = await askOf(older, { ...usual, model: 'tiny' })
    expect(ranked.results).toHaveLength(5)
  })

  test.each(['synopsis.npy', 'synopsis.tokens'])(
    'nothing where somebody wrote into a file while it is served: %s',
    async (file) => {
      const served = await openLibrary([{ name: 'anime', columns, rows: anime }])
      const path = join(served.settings.embeddingsDir, 'anime/builtin/static-en', file)
      const before = await askOf(served, usual)
      writeFileSync(path, readFileSync(path))
      utimesSync(path, 1, 1)
      expect((await askOf(served, usual)).results).toEqual(before.results)
    },
  )

  test('a damaged token list', async () => {
    const hurt = await openLibrary([{ name: 'anime', columns, rows: anime }])
    const folder = join(hurt.settings.embeddingsDir, 'anime/builtin/static-en')
    rmSync(join(folder, 'synopsis.tokens'))
    await expect(askOf(hurt, usual)).rejects.toThrow(EmbeddingsBrokenError)
  })
})
