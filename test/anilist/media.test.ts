import { describe, expect, test } from 'vitest'
import { readMediaPage } from '#synoptic/data/anilist/media.js'
import { medium, pageAnswer } from './media-pages.js'

function recordOf(
  members: Readonly<Record<string, unknown>>,
  dataset: 'anime' | 'manga' = 'anime',
) {
  const page = readMediaPage(pageAnswer([medium(7, members)], false).body, dataset)
  if (page?.records[0] === undefined) throw new Error('expected a record')
  return page.records[0]
}

const animeKeys = [
  'id',
  'idMal',
  'titleRomaji',
  'titleEnglish',
  'titleNative',
  'synonyms',
  'format',
  'year',
  'genres',
  'tags',
  'related',
  'description',
  'cover',
  'url',
  'episodes',
  'duration',
  'averageScore',
  'popularity',
  'isAdult',
  'countryOfOrigin',
  'source',
  'studios',
]
const mangaKeys = [
  ...animeKeys.slice(0, 14),
  'volumes',
  ...animeKeys.slice(16, 21),
  'authors',
  'staff',
]

describe('a record', () => {
  test('is flat and has all that was requested', () => {
    expect(recordOf({})).toStrictEqual({
      id: 7,
      idMal: 1007,
      titleRomaji: 'Romaji 7',
      titleEnglish: 'English 7',
      titleNative: '題 7',
      synonyms: ['Also 7'],
      format: 'TV',
      year: 1997,
      genres: ['Drama', 'Sci-Fi'],
      tags: [
        { name: 'Space', rank: 91, isMediaSpoiler: false },
        { name: 'Primarily Adult Cast', rank: 85, isMediaSpoiler: false },
        { name: 'Time Loop', rank: 55, isMediaSpoiler: true },
      ],
      related: [8],
      description: 'Story of number 7.<br><br>(Source: the author)',
      cover: 'https://img.example/7.jpg',
      url: 'https://anilist.co/anime/7',
      episodes: 12,
      duration: 24,
      averageScore: 71,
      popularity: 5000,
      isAdult: false,
      countryOfOrigin: 'JP',
      source: 'LIGHT_NOVEL',
      studios: ['Studio A'],
    })
  })

  test.each([
    ['anime', animeKeys],
    ['manga', mangaKeys],
  ] as const)('of %s always has the same keys in the same order', (dataset, keys) => {
    const bare = readMediaPage(pageAnswer([{ id: 1 }], false).body, dataset)
    expect(Object.keys(bare?.records[0] ?? {})).toEqual(keys)
    expect(Object.keys(recordOf({ volumes: 3, staff: null }, dataset))).toEqual(keys)
  })

  test('separates the authors of a manga from those who worked on an edition', () => {
    const person = (role: string | null, full: string | null) => ({
      role,
      node: { name: { full } },
    })
    const edges = [
      person('Story', 'Ohba Tsugumi'),
      person('Art (vols 1-12)', 'Obata Takeshi'),
      person('Original Creator', 'Ohba Tsugumi'),
      person('Translator (English)', 'Somebody'),
      person('Art Assistance', 'Helper'),
      person('Touch-up Art & Lettering (English)', 'Letterer'),
      person(null, 'Unsaid'),
      person('Story & Art', null),
      null,
    ]
    const { authors, staff } = recordOf({ volumes: 12, staff: { edges } }, 'manga')
    expect(authors).toEqual(['Ohba Tsugumi', 'Obata Takeshi'])
    expect(staff).toHaveLength(7)
    expect(staff).toContainEqual({ name: 'Helper', role: 'Art Assistance' })
    expect(staff).toContainEqual({ name: 'Unsaid', role: null })
  })

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a text for a number', { episodes: '12' }, { episodes: null }],
    ['half an episode', { episodes: 11.5 }, { episodes: null }],
    ['a number for a text', { description: 5 }, { description: null }],
    ['null for an object', { title: null }, { titleRomaji: null, titleNative: null }],
    ['a text for an object', { startDate: '1998' }, { year: null }],
    ['no list of names', { synonyms: 'Bebop', genres: null }, { synonyms: [], genres: [] }],
    ['nulls in lists', { synonyms: [null, 'A', 'A', 3] }, { synonyms: ['A'] }],
    ['nameless studios', { studios: { nodes: [null, { name: null }, {}] } }, { studios: [] }],
    ['no list of tags', { tags: 'Space' }, { tags: [] }],
    [
      'a tag without a name',
      { tags: [{ rank: 3 }, { name: 'Space', rank: 'high' }] },
      { tags: [{ name: 'Space', rank: null, isMediaSpoiler: null }] },
    ],
    ['no relations', { relations: null }, { related: [] }],
    [
      'relations without a work',
      { relations: { edges: [null, { relationType: 'SEQUEL', node: null }, { node: { id: 5 } }] } },
      { related: [] },
    ],
    ['no studios', { studios: null }, { studios: [] }],
    ['no cover', { coverImage: null, siteUrl: 7 }, { cover: null, url: null }],
    ['a cover without an address', { coverImage: { large: {} } }, { cover: null }],
    ['a text for a truth', { isAdult: 'false' }, { isAdult: null }],
  ])('takes %s for unsaid', (_case, members, expected) => {
    expect(recordOf(members)).toMatchObject(expected)
  })
})

describe('a page', () => {
  test.each([
    ['null', null],
    ['a text', 'page'],
    ['no data', { data: null }],
    ['no page', { data: { Page: null } }],
    ['no pageInfo', { data: { Page: { media: [] } } }],
    ['an unsaid hasNextPage', { data: { Page: { pageInfo: { hasNextPage: null }, media: [] } } }],
    ['no list of media', { data: { Page: { pageInfo: { hasNextPage: true }, media: {} } } }],
  ])('that is %s is none', (_case, body) => {
    expect(readMediaPage(body, 'anime')).toBeNull()
  })

  test('counts the works that have no usable id', () => {
    const media = [medium(1), null, {}, { id: '5' }, { id: -1 }, { id: 2 ** 60 }, medium(2)]
    const page = readMediaPage(pageAnswer(media, true).body, 'manga')
    expect(page?.records.map(({ id }) => id)).toEqual([1, 2])
    expect(page).toMatchObject({ unusable: 5, hasNextPage: true })
  })
})
