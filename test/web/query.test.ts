/** The address of the page, which holds the whole query. */
import { describe, expect, it } from 'vitest'
import { countFilters, fromSearch, noFilters, toSearch, type Query } from '../../web/lib/query.js'

const full: Query = {
  dataset: 'manga',
  text: 'like “Berserk” & no school, 100% dark? 蟲師 😀',
  ignore: [
    [0, 4],
    [10, 20],
  ],
  work: undefined,
  both: false,
  titles: 'native',
  sort: 'year',
  more: [5, 7],
  less: [0],
  forMe: true,
  filters: {
    types: ['manga', 'one_shot'],
    audiences: ['seinen'],
    studios: ['A & B', 'C=D'],
    genres: { Horror: 'all', Comedy: 'none' },
    tags: { 'time-loop': 'any', gore: 'none' },
    yearFrom: 1990,
    yearTo: 1999,
    minScore: 7.5,
    adult: true,
    lightNovels: true,
  },
}
const empty: Query = {
  dataset: 'anime',
  text: '',
  ignore: [],
  work: undefined,
  both: false,
  titles: 'english',
  sort: 'fit',
  more: [],
  less: [],
  forMe: false,
  filters: noFilters,
}

describe('toSearch and fromSearch', () => {
  it.each([
    ['all there is', full],
    ['nothing', empty],
    ['a work', { ...empty, work: 0 }],
    ['both datasets', { ...empty, both: true }],
    ['a work of one of both', { ...empty, both: true, dataset: 'manga' as const, work: 7 }],
    ['a text alone', { ...empty, text: 'a' }],
  ])('keep %s', (_, query) => {
    expect(fromSearch(toSearch(query))).toEqual(query)
  })

  it('prefer the titles that somebody chose, unless the address names others', () => {
    expect(fromSearch('', 'native').titles).toBe('native')
    expect(fromSearch('?titles=romaji', 'native').titles).toBe('romaji')
  })

  it('write nothing for nothing', () => {
    expect(toSearch(empty)).toBe('')
  })

  it.each([
    ['?in=Novels', { dataset: 'anime' }],
    ['?sort=best&titles=klingon&for=you', { sort: 'fit', titles: 'english', forMe: false }],
    ['?more=5&more=x&more=5&less=-1&less=1e9', { more: [5], less: [] }],
    ['?work=abc', { work: undefined }],
    ['?work=-1', { work: undefined }],
    ['?work=1.5', { work: undefined }],
    ['?work=1e99', { work: undefined }],
    ['?work=', { work: undefined }],
    ['?skip=4-4&skip=9-3&skip=x&skip=1-2-3&skip=-1-5', { ignore: [] }],
    ['?q=%20%09', { text: '' }],
    [`?q=${'x'.repeat(3000)}`, { text: 'x'.repeat(2000) }],
    ['?from=0&to=10000&score=11', { filters: noFilters }],
    ['?from=abc&to=1990.5&score=good', { filters: noFilters }],
    ['?type=&genre.all=&tag.must=x&adult=yes', { filters: noFilters }],
    ['?genre.all=A&genre.none=A', { filters: { ...noFilters, genres: { A: 'none' } } }],
    ['?type=tv&type=tv', { filters: { ...noFilters, types: ['tv'] } }],
    ['?%E0%A4%A=1&q=%E0%A4%A', { dataset: 'anime' }],
  ])('read of %s what makes sense', (search, expected) => {
    expect(fromSearch(search)).toMatchObject(expected)
  })
})

describe('countFilters', () => {
  it('counts every value, and none where none is set', () => {
    expect(countFilters(noFilters)).toBe(0)
    expect(countFilters(full.filters)).toBe(2 + 1 + 2 + 2 + 2 + 3 + 2)
  })
})
