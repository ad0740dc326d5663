/** What people who look around are shown, from a small catalogue whose works have every kind of fact. */
import { describe, expect, it } from 'vitest'
import { createBrowse } from '#synoptic/search/browse/browse.js'
import { linksOf } from '#synoptic/search/browse/links.js'
import { createKnowledge } from '#synoptic/search/knowledge/dataset-knowledge.js'
import { ArrayCatalogue, type Work } from '../search/array-catalogue.js'

const work = (id: number, title: string, facts: Work['facts'], more: Partial<Work> = {}): Work => ({
  id,
  title,
  type: 'tv',
  genres: [],
  year: null,
  score: null,
  texts: [null, null],
  facts,
  metadata: {},
  ...more,
})
const works = [
  work(
    7,
    'Mushishi Zoku Shou',
    { franchise: 'mushishi', relation: 'sequel', studios: ['Artland'], tags: { calm: 2 } },
    { year: 2014, genres: ['Mystery'], type: 'tv' },
  ),
  work(
    3,
    'Mushishi',
    {
      franchise: 'mushishi',
      relation: 'main',
      studios: ['Artland'],
      audience: 'seinen',
      tags: { calm: 1, 'time-loop': 3, unheard: 2 },
    },
    {
      metadata: {
        titleJapanese: '蟲師',
        anilistId: 457,
        malId: 457,
        links: [
          { site: 'Where to watch', url: 'https://watch.example/457' },
          { site: 'Script', url: 'javascript:alert(1)' },
          { url: 'http://plain.example/' },
          'no link',
        ],
        texts: 'a member that the entry has itself',
      },
      year: 2005,
      genres: ['Mystery', 'Slice of Life'],
      texts: ['A man wanders.', null],
      score: 8.7,
    },
  ),
  work(5, 'Mushi-Uta', { adult: true, studios: ['ARTLAND'] }, { year: 2007, genres: ['Hentai'] }),
  work(9, 'Nothing Known', {}, { type: null }),
]
const catalogue = new ArrayCatalogue({ anime: { columns: ['synopsis', 'logline'], works } })
const browse = createBrowse({ catalogue, knowledge: createKnowledge(catalogue) })
const titles = (prefix: string, more: object = {}) =>
  browse.titles('anime', { prefix, limit: 10, adult: false, ...more })

describe('titles', () => {
  it('completes what is typed, each entry once', async () => {
    expect(await titles('mush')).toEqual([
      { id: 3, title: 'Mushishi', matched: 'Mushishi', kind: 'main', type: 'tv', year: 2005 },
      expect.objectContaining({ id: 7, matched: 'Mushishi Zoku Shou' }),
    ])
  })

  it('finds other titles, other words, and titles with a typo', async () => {
    expect((await titles('蟲'))[0]).toMatchObject({ id: 3, matched: '蟲師', kind: 'native' })
    expect((await titles('zoku'))[0]).toMatchObject({ id: 7 })
    expect((await titles('mushihsi'))[0]).toMatchObject({ id: 3 })
  })

  it('leaves out works for adults unless they are requested', async () => {
    expect((await titles('mushi uta')).map(({ id }) => id)).not.toContain(5)
    expect((await titles('mushi uta', { adult: true }))[0]).toMatchObject({ id: 5 })
  })

  it('returns so many where works for adults begin alike, too', async () => {
    const named = (count: number, first: number, adult: boolean) =>
      Array.from({ length: count }, (_, i) => work(first + i, `Night ${first + i}`, { adult }))
    const many = new ArrayCatalogue({
      anime: { columns: [], works: [...named(50, 1, true), ...named(5, 51, false)] },
    })
    const crowded = createBrowse({ catalogue: many, knowledge: createKnowledge(many) })
    const idsOf = async (limit: number, adult: boolean) =>
      (await crowded.titles('anime', { prefix: 'night', limit, adult })).map(({ id }) => id)
    expect(await idsOf(3, false)).toEqual([51, 52, 53])
    expect(await idsOf(10, false)).toEqual([51, 52, 53, 54, 55])
    expect(await idsOf(10, true)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('returns at most so many, and none where none fits', async () => {
    expect(await titles('mush', { limit: 1 })).toHaveLength(1)
    expect(await titles('qqqqqq')).toEqual([])
    expect(await titles('…')).toEqual([])
  })

  it('rejects for a dataset that is not there', async () => {
    const query = { prefix: 'a', limit: 1, adult: false }
    await expect(browse.titles('manga', query)).rejects.toThrow('not installed')
    await expect(browse.facets('manga')).rejects.toThrow('not installed')
    await expect(browse.entry('manga', 3)).rejects.toThrow('not installed')
  })
})

describe('entry', () => {
  it('has its texts by column and its franchise by year', async () => {
    const details = await browse.entry('anime', 3)
    expect(details).toMatchObject({
      entry: { id: 3, title: 'Mushishi' },
      texts: { synopsis: 'A man wanders.' },
      franchise: [{ id: 3 }, { id: 7 }],
    })
    expect(Object.keys(details?.texts ?? {})).toEqual(['synopsis'])
  })

  it('takes an entry without any data', async () => {
    expect(await browse.entry('anime', 9)).toMatchObject({ texts: {}, franchise: [{ id: 9 }] })
  })

  it('is undefined for an id that nothing has', async () => {
    expect(await browse.entry('anime', 4)).toBeUndefined()
  })
})

describe('facets', () => {
  it('counts every value, works for adults left out, names as written', async () => {
    expect(await browse.facets('anime')).toEqual({
      types: [{ value: 'tv', count: 2 }],
      years: { from: 2005, to: 2014 },
      scores: { from: expect.closeTo(8.7, 5) as number, to: expect.closeTo(8.7, 5) as number },
      audiences: [{ value: 'seinen', count: 1 }],
      genres: [
        { value: 'Mystery', count: 2 },
        { value: 'Slice of Life', count: 1 },
      ],
      tags: [
        expect.objectContaining({ value: 'calm', count: 2 }),
        { value: 'time-loop', name: 'time loop', family: 'theme', count: 1 },
        { value: 'unheard', count: 1 },
      ],
      studios: [{ value: expect.stringMatching(/^artland$/i) as string, count: 2 }],
      where: {},
    })
  })

  it('knows no years where none is known', async () => {
    const bare = new ArrayCatalogue({ manga: { columns: [], works: [work(1, 'One', {})] } })
    const { years, scores, genres } = await createBrowse({
      catalogue: bare,
      knowledge: createKnowledge(bare),
    }).facets('manga')
    expect(years).toEqual({ from: null, to: null })
    expect(scores).toEqual({ from: null, to: null })
    expect(genres).toEqual([])
  })
})

describe('linksOf', () => {
  it('has the page that a source names for itself, unless an id leads to the same site', () => {
    const anilist = { site: 'AniList', url: 'https://anilist.co/anime/5' }
    const url = 'https://anilist.co/anime/5/Name'
    expect(linksOf('anime', { anilistId: 5, url })).toEqual([anilist])
    expect(linksOf('anime', { url })).toEqual([{ site: 'anilist.co', url }])
    const own = { site: 'a.example', url: 'https://a.example/x' }
    expect(linksOf('anime', { anilistId: 5, url: own.url })).toEqual([anilist, own])
    expect(linksOf('anime', { links: [own], url: own.url })).toEqual([own])
  })

  it.each([
    ['no id', { malId: null }],
    ['a text', { malId: '457' }],
    ['no integer', { malId: 1.5 }],
    ['a negative id', { malId: -1 }],
    ['a site that has no manga', { anidbId: 7 }],
    ['an address that is none', { links: [{ site: 'X', url: 'not an address' }, null] }],
    ['a page of its own that is no address', { url: 'not an address' }],
    ['a page of its own that runs something', { url: 'javascript:alert(1)' }],
    ['a page of its own that is no text', { url: { href: 'https://a.example' } }],
    ['a name in an address', { url: 'https://anilist.co@evil.example/anime/5' }],
    ['a password in an address', { links: [{ site: 'X', url: 'https://:x@a.example/' }] }],
    ['an address that runs something', { links: [{ site: 'X', url: 'data:text/html,x' }] }],
  ])('makes no link of %s', (_, metadata) => {
    expect(linksOf('manga', metadata)).toEqual([])
  })

  it('names a link without a name by its host', () => {
    expect(linksOf('manga', { links: [{ url: 'https://a.example/x' }] })).toEqual([
      { site: 'a.example', url: 'https://a.example/x' },
    ])
  })
})
