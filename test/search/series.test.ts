/** /search below HTTP: who describes a story means the first work of its series, unless the words tell of another. */
import { expect, test } from 'vitest'
import type { RankedQuery } from '#synoptic/search/service/ranked-search.js'
import { row } from '../catalogue/shelf.js'
import { openLibrary } from './library.js'

const detailed = 'Aki and the robot Momo tend a garden of red roses on Mars, and the roses wilt.'
const library = await openLibrary([
  {
    name: 'anime',
    columns: ['synopsis'],
    rows: [
      row(1, { title: 'Rose Planet 2', type: 'tv', texts: [detailed] }),
      row(2, {
        title: 'Rose Planet',
        type: 'tv',
        texts: ['Aki tends the roses of a garden with a robot.'],
      }),
      row(3, { title: 'Rose Planet Movie', type: 'movie', texts: [`${detailed} In one evening.`] }),
      row(4, { title: 'Bread', type: 'tv', texts: ['A baker and a robot open a shop.'] }),
      row(5, { title: 'Roses', type: 'tv', texts: ['Two gardeners of Mars fall in love.'] }),
    ],
  },
])
const description = 'Aki and a robot tend red roses in a garden on mars'
const ids = async (query: string, changes: Partial<RankedQuery> = {}) => {
  const { results } = await library.search.ranked.ranked({
    dataset: 'anime',
    query,
    numResults: 5,
    batchSize: 32,
    candidates: 100,
    includeLightNovels: false,
    ...changes,
  })
  return results.map(({ id }) => id)
}

test('the first work comes before those that continue it', async () => {
  const answer = await ids(description)
  expect(answer[0]).toBe(2)
  expect(answer.slice(1, 3).toSorted()).toEqual([1, 3])
})

test('texts alone put them before it', async () => {
  const answer = await ids(description, { interpret: false })
  expect(answer.slice(0, 2).toSorted()).toEqual([1, 3])
})

test('they stay before it where the query describes how the story goes on', async () => {
  const answer = await ids(`the second season: ${description} again`)
  expect([1, 3]).toContain(answer[0])
})

test('the first work is a candidate, though its text is not among the nearest', async () => {
  expect(await ids(description, { interpret: false, candidates: 2 })).not.toContain(2)
  expect(await ids(description, { candidates: 2 })).toContain(2)
})

test('it is none where a filter leaves it out', async () => {
  const filter = { types: ['movie'] }
  expect(await ids(description, { candidates: 2, filter })).toEqual([3])
})

test('first works take at most half of the places of few candidates', async () => {
  const names = ['Rose Planet', 'Iron Garden', 'Salt River']
  const series = names.flatMap((title, i) => [
    row(2 * i + 1, { title, type: 'tv', texts: ['A baker opens a shop.'] }),
    row(2 * i + 2, {
      title: `${title} 2`,
      type: 'tv',
      genres: i === 2 ? ['Romance'] : [],
      texts: [i === 2 ? 'A baker sings.' : `${detailed} The ${title} shines.`],
    }),
  ])
  const { search } = await openLibrary([{ name: 'anime', columns: ['synopsis'], rows: series }])
  const { results } = await search.ranked.ranked({
    dataset: 'anime',
    query: `romance. ${detailed}`,
    numResults: 5,
    batchSize: 32,
    candidates: 2,
    includeLightNovels: false,
  })
  expect(results).toHaveLength(2)
})
