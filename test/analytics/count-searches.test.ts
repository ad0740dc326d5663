/** Counts of searches. */
import { expect, it } from 'vitest'
import { countSearches } from '#synoptic/server/analytics/count-searches.js'
import { kindOf } from '#synoptic/server/analytics/record-searches.js'
import type { Search } from '#synoptic/server/analytics/analytics.js'
import type { Reading } from '#synoptic/search/reader/interpretation.js'

const search = (query: string, more: Partial<Search> = {}): Search => ({
  dataset: 'anime',
  query,
  kind: 'description',
  results: 10,
  found: true,
  ms: 1,
  ...more,
})

it('begins with nothing', () => {
  expect(countSearches(() => 0).summary()).toEqual({
    since: '1970-01-01T00:00:00.000Z',
    searches: 0,
    unmatched: 0,
    topQueries: [],
    unmatchedQueries: [],
    latency: [],
  })
})

it('counts a query of each dataset by itself, whatever its letter case and spaces', () => {
  const counts = countSearches()
  for (const query of ['A  Kettle ', 'a kettle', 'A\nKETTLE']) counts.add(search(query))
  counts.add(search('a kettle', { dataset: 'manga' }))
  expect(counts.summary().topQueries).toEqual([
    { dataset: 'anime', query: 'a kettle', count: 3 },
    { dataset: 'manga', query: 'a kettle', count: 1 },
  ])
})

it('forgets rare queries first, and counts all searches', () => {
  const counts = countSearches()
  for (let at = 0; at < 30_000; at += 1) {
    counts.add(search(`rare ${at}`))
    if (at % 100 === 0) counts.add(search('frequent', { found: false }))
  }
  const { searches, unmatched, topQueries } = counts.summary()
  expect([searches, unmatched]).toEqual([30_300, 300])
  expect(topQueries[0]).toEqual({ dataset: 'anime', query: 'frequent', count: 300 })
  expect(topQueries).toHaveLength(20)
})

it('takes times from the last thousand of a kind', () => {
  const counts = countSearches()
  for (let ms = 1; ms <= 2000; ms += 1) counts.add(search('q', { ms }))
  counts.add(search('q', { kind: 'title', ms: 7 }))
  expect(counts.summary().latency).toEqual([
    { kind: 'description', count: 2000, medianMs: 1500, p95Ms: 1950 },
    { kind: 'title', count: 1, medianMs: 7, p95Ms: 7 },
  ])
})

it.each([
  [[], 'a boy', 'description'],
  [['studio'], '', 'facts'],
  [['studio'], 'a boy', 'facts and description'],
  [['like', 'studio'], '', 'works like'],
  [['title', 'like'], 'a boy', 'title'],
])('of readings %j and the text %j, the kind is %s', (kinds, text, kind) => {
  const readings = kinds.map((kind) => ({ kind, excluded: false }) as Reading)
  const refused = { kind: 'title', excluded: true } as Reading
  expect(kindOf({ readings: [...readings, refused], text, explained: 0 })).toBe(kind)
})
