import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CrossEncoder } from '#synoptic/models/encoders/cross-encoder.js'
import { createCrossEncoderRanker } from '#synoptic/search/ranking/cross-encoder-ranker.js'
import { fixtures, openCross } from '../encoders/cross-models.js'
import { ArrayCatalogue, inventWorks, type Work } from '../search/array-catalogue.js'

const columns = ['synopsis', 'Synopsis second Dataset', 'Synopsis third Dataset']
const query = 'a teacher who is a yellow octopus'

function worldOf(works: readonly Work[]) {
  const catalogue = new ArrayCatalogue({ anime: { columns, works } })
  const dataset = catalogue.dataset('anime')
  if (dataset === undefined) throw new Error('no dataset')
  return { catalogue, dataset }
}

function workOf(texts: readonly (string | null)[]): Work {
  const [work] = inventWorks(1, columns.length, 1)
  if (work === undefined) throw new Error('no work')
  return { ...work, texts }
}

/** Every text by itself. */
async function bruteForce(encoder: CrossEncoder, works: readonly Work[], rows: Uint32Array) {
  const best: { score: number; column: number }[] = []
  for (const row of rows) {
    let top = { score: 0, column: 0 }
    for (const [column, text] of (works[row]?.texts ?? []).entries()) {
      if (text === null) continue
      const { scores } = await encoder.score(query, [text], { batchSize: 1 })
      const score = scores[0] ?? NaN
      if (score > top.score) top = { score, column }
    }
    best.push(top)
  }
  return best
}

describe('a cross-encoder that ranks', () => {
  it.each([8, 512])('scores entries by their best text, batches of %i', async (batchSize) => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const works = inventWorks(40, columns.length, 7)
    const { catalogue, dataset } = worldOf(works)
    const rows = Uint32Array.from([39, 0, 7, 21, 8])
    const ranker = createCrossEncoderRanker(encoder, catalogue)
    expect(ranker.device).toBe('cpu')
    const answer = await ranker.rank({ dataset, query, rows, batchSize })
    const expected = await bruteForce(encoder, works, rows)
    expected.forEach(({ score, column }, position) => {
      expect(answer.toProbability(answer.scores[position] ?? NaN)).toBeCloseTo(score, 5)
      expect(answer.columns[position]).toBe(column)
    })
    expect(answer.warnings).toEqual([])
  })

  it('scores more pairs than it fetches at once', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const works = inventWorks(900, columns.length, 3)
    const { catalogue, dataset } = worldOf(works)
    const ranker = createCrossEncoderRanker(encoder, catalogue)
    const all = Uint32Array.from(works.keys())
    const answer = await ranker.rank({ dataset, query, rows: all, batchSize: 32 })
    const probe = Uint32Array.from([0, 340, 341, 342, 343, 899])
    const expected = await bruteForce(encoder, works, probe)
    expected.forEach(({ score, column }, i) => {
      expect(answer.toProbability(answer.scores[probe[i] ?? 0] ?? NaN)).toBeCloseTo(score, 5)
      expect(answer.columns[probe[i] ?? 0]).toBe(column)
    })
  })

  it('scores a text once that several columns have, for the first of them', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const read: string[][] = []
    const counting: CrossEncoder = {
      ...encoder,
      score: (text, texts, options) => {
        read.push([...texts])
        return encoder.score(text, texts, options)
      },
    }
    const works = [workOf([null, 'octopus', 'octopus']), workOf(['octopus', 'stone', null])]
    const { catalogue, dataset } = worldOf(works)
    const ranker = createCrossEncoderRanker(counting, catalogue)
    const rows = Uint32Array.from([0, 1])
    const { columns } = await ranker.rank({ dataset, query, rows, batchSize: 8 })
    expect(read).toEqual([['octopus', 'octopus', 'stone']])
    expect(columns[0]).toBe(1)
  })

  it('gives 0 to what has no text, and nothing where there is no query', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const { catalogue, dataset } = worldOf([workOf([null, null, null]), workOf(['stone', null])])
    const ranker = createCrossEncoderRanker(encoder, catalogue)
    const rank = (rows: readonly number[]) =>
      ranker.rank({ dataset, query, rows: Uint32Array.from(rows), batchSize: 8 })
    const { scores, toProbability } = await rank([0, 1])
    const probabilities = [...scores].map(toProbability)
    expect(probabilities[0]).toBe(0)
    expect(probabilities[1]).toBe(scores[1])
    expect(probabilities[1]).toBeGreaterThan(0)
    expect((await rank([])).scores).toHaveLength(0)
  })

  it('says when the query was cut', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const { catalogue, dataset } = worldOf([workOf(['stone '.repeat(100), null])])
    const ranker = createCrossEncoderRanker(encoder, catalogue)
    const rows = Uint32Array.from([0])
    const long = 'octopus '.repeat(100)
    const { warnings } = await ranker.rank({ dataset, query: long, rows, batchSize: 8 })
    expect(warnings).toEqual([expect.stringContaining('Its end was cut off')])
  })

  it('stops when its asker leaves, and fetches no more texts', async () => {
    const encoder = await openCross(join(fixtures, 'bert'))
    const works = inventWorks(2000, columns.length, 5)
    const { catalogue, dataset } = worldOf(works)
    let fetched = 0
    const watched = {
      text: (...place: Parameters<typeof catalogue.text>) => {
        fetched += 1
        return catalogue.text(...place)
      },
    }
    const asker = new AbortController()
    const { signal } = asker
    const all = Uint32Array.from(works.keys())
    const ranker = createCrossEncoderRanker(encoder, watched)
    const ranking = ranker.rank({ dataset, query, rows: all, batchSize: 8, signal })
    const outcome = expect(ranking).rejects.toThrow('left')
    asker.abort(new Error('left'))
    await outcome
    expect(fetched).toBeLessThan(works.length * columns.length)
  })
})
