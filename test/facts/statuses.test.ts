/** Whether works have ended, in the words of catalogues. */
import { describe, expect, it } from 'vitest'
import { statusOf } from '#synoptic/search/facts/statuses.js'
import { work } from './make-facts.js'
import { degreesOf, rankedCatalogue } from './ranked.js'

describe('statusOf', () => {
  it.each([
    ['finished', ['Finished Airing', 'FINISHED', 'Finished', 'completed', 'Complete']],
    ['ongoing', ['Currently Airing', 'RELEASING', 'Publishing', 'ongoing', 'ONGOING']],
  ])('is %s of %j', (status, values) => {
    expect(values.map(statusOf)).toEqual(values.map(() => status))
  })

  it.each(['Not yet aired', 'hiatus', 'CANCELLED', 'upcoming', '', '連載中'])(
    'leaves %j as it is',
    (value) => {
      expect(statusOf(value)).toBe(value.toLowerCase())
    },
  )
})

describe('a request for what has ended', () => {
  const catalogue = rankedCatalogue(
    ['Finished Airing', 'completed', 'RELEASING', 'hiatus'].map((status) => work({ status })),
  )

  it('is met by all words for it, and by no others', async () => {
    expect(await degreesOf(catalogue, { kind: 'status', value: 'finished' })).toEqual([1, 1, 0, 0])
    expect(await degreesOf(catalogue, { kind: 'status', value: 'ongoing' })).toEqual([0, 0, 1, 0])
  })
})
